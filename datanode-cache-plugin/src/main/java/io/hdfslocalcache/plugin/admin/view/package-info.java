/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/**
 * What operators see of the local cache, and what they order.
 */
package io.hdfslocalcache.plugin.admin.view;
