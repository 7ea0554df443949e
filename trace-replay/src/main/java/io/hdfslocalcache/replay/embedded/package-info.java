/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/**
 * A real NameNode and a real DataNode with the local cache in this process. The only package here
 * that knows daemons, and that through Hadoop's MiniDFSCluster only.
 */
package io.hdfslocalcache.replay.embedded;
