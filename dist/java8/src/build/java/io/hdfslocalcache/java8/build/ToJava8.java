/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.java8.build;

import java.io.IOException;
import java.net.URL;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.AnnotationNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import xyz.wagyourtail.jvmdg.ClassDowngrader;
import xyz.wagyourtail.jvmdg.cli.Flags;
import xyz.wagyourtail.jvmdg.j16.stub.java_base.J_L_R_ObjectMethods;
import xyz.wagyourtail.jvmdg.j9.stub.java_base.J_L_I_StringConcatFactory;
import xyz.wagyourtail.jvmdg.logging.Logger;
import xyz.wagyourtail.jvmdg.util.Function;
import xyz.wagyourtail.jvmdg.version.VersionProvider;

/**
 * JvmDowngrader, from Java 17 to Java 8: its part for the language and the class file format. Its
 * own replacements of JDK classes have another license, so those of {@link Replacements} are used.
 */
final class ToJava8 extends ClassDowngrader {

  private static final String TOOL = "Lxyz/wagyourtail/";

  /**
   * @param classPath everything that the classes refer to, without the JDK
   */
  ToJava8(URL[] classPath) {
    super(flags());
    getClassLoader().addDelegate(classPath);
    // These two add code to the class itself only.
    getVersionProviderFor(16).stub(J_L_R_ObjectMethods.class);
    VersionProvider last = getVersionProviderFor(9);
    last.stub(J_L_I_StringConcatFactory.class);
    Replacements.addTo(last);
  }

  private static Flags flags() {
    Flags flags = new Flags();
    flags.classVersion = Opcodes.V1_8;
    flags.api = List.of();
    flags.debugSkipStubs = IntStream.rangeClosed(Opcodes.V9, Opcodes.V17).boxed()
        .collect(Collectors.toSet());
    // It would warn of calls that a later step replaces.
    flags.logLevel = Logger.Level.ERROR;
    return flags;
  }

  @Override
  protected Set<ClassNode> downgrade(ClassNode type, boolean enableRuntime,
      Function<String, ClassNode> others) throws IOException {
    boolean isRecord = "java/lang/Record".equals(type.superName);
    Set<ClassNode> classes = super.downgrade(type, enableRuntime, others);
    for (ClassNode each : classes) {
      each.methods.forEach(ToJava8::replaceConstants);
      removeNotes(each.visibleAnnotations);
      removeNotes(each.invisibleAnnotations);
      if (isRecord && each.name.equals(type.name)) {
        each.fields.forEach(ToJava8::open);
      }
    }
    return classes;
  }

  private static void replaceConstants(MethodNode method) {
    for (AbstractInsnNode each : method.instructions) {
      if (each instanceof FieldInsnNode field && field.getOpcode() == Opcodes.GETSTATIC) {
        MethodInsnNode call = Replacements.of(field);
        if (call != null) {
          method.instructions.set(field, call);
        }
      }
    }
  }

  /** The tool's annotations about the original class, whose classes are missing. */
  private static void removeNotes(List<AnnotationNode> annotations) {
    if (annotations != null) {
      annotations.removeIf(each -> each.desc.startsWith(TOOL));
    }
  }

  /** Jackson supports records, but in a converted record it only sees public fields. */
  private static void open(FieldNode field) {
    if ((field.access & Opcodes.ACC_STATIC) == 0) {
      field.access = field.access & ~Opcodes.ACC_PRIVATE | Opcodes.ACC_PUBLIC;
    }
  }
}
