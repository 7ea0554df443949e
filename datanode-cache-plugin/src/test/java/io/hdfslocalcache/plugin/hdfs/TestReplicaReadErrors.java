/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.doReturn;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import java.io.EOFException;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.block.ReplicaAccess;
import io.hdfslocalcache.plugin.block.ReplicaFiles;
import io.hdfslocalcache.plugin.block.ReplicaSnapshot;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider;
import org.apache.hadoop.hdfs.server.datanode.LocalReplica;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeReference;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.LengthInputStream;
import org.apache.hadoop.util.DataChecksum;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Files that cannot be opened or read. A disk that fails is checked, as on a stock DataNode. */
public class TestReplicaReadErrors {

  /** Its first page belongs to no process: a read of it is an input/output error. */
  private static final String SICK = "/proc/self/mem";
  private static final int LENGTH = 512;

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private final FsDatasetSpi<?> dataset = mock(FsDatasetSpi.class);
  private final LocalReplica replica = mock(LocalReplica.class);
  private final FsVolumeSpi volume = mock(FsVolumeSpi.class);
  private final ExtendedBlock block = new ExtendedBlock("pool", 1, LENGTH, 1001);
  private final List<FsVolumeSpi> checked = new ArrayList<>();

  @Before
  public void tellTheVolume() {
    when(replica.getFileIoProvider()).thenReturn(new FileIoProvider(null, null));
    doReturn(volume).when(replica).getVolume();
  }

  private void setFiles(File data, File meta) throws IOException {
    when(replica.getBlockFile()).thenReturn(data);
    when(replica.getMetaFile()).thenReturn(meta);
    doAnswer(call -> meta.exists() ? new LengthInputStream(new FileInputStream(meta), LENGTH) : null)
        .when(dataset).getMetaDataInputStream(any());
  }

  private ReplicaFiles open() throws IOException {
    return OpenReplicaFiles.forClient(dataset, replica, block, true, checked::add);
  }

  /** Asserts it for a fill that finds no memory. Otherwise the volume could never be unmounted. */
  private void assertFillGivesBackTheVolume(DataNode datanode) throws IOException {
    FsVolumeReference reference = mock(FsVolumeReference.class);
    when(volume.obtainReference()).thenReturn(reference);
    doReturn(replica).when(dataset).getReplica("pool", 1);
    ReplicaAccess replicas = new DatasetReplicaAccess(datanode);
    assertThrows(OutOfMemoryError.class,
        () -> replicas.open(new ReplicaSnapshot(new BlockKey("pool", 1), 1001, LENGTH)));
    verify(reference).close();
  }

  /** @return a meta file of a replica with one checksum. */
  private File metaFile() throws IOException {
    File file = folder.newFile();
    try (FileOutputStream out = new FileOutputStream(file)) {
      DataChecksum checksum = DataChecksum.newDataChecksum(DataChecksum.Type.CRC32C, LENGTH);
      out.write(new byte[] {0, 1});
      out.write(checksum.getHeader());
      out.write(new byte[checksum.getChecksumSize()]);
    }
    return file;
  }

  private File missing() {
    return new File(folder.getRoot(), "missing");
  }

  private void assertOpenThrows(Class<?> expected, File data, File meta) throws IOException {
    setFiles(data, meta);
    IOException thrown = assertThrows(IOException.class, this::open);
    assertEquals("data " + data + ", meta " + meta, expected, thrown.getClass());
  }

  @Test
  public void open_fileMissing_isToldFromOneThatCannotBeOpened() throws IOException {
    // Like one on a sick disk, it is there.
    File sick = folder.newFolder("sick");
    assertOpenThrows(FileNotFoundException.class, missing(), metaFile());
    assertOpenThrows(IOException.class, sick, metaFile());
    assertOpenThrows(FileNotFoundException.class, folder.newFile(), missing());
    assertOpenThrows(IOException.class, folder.newFile(), sick);
  }

  @Test
  public void open_metaFileCannotBeRead_theDiskIsChecked() throws IOException {
    setFiles(folder.newFile(), new File(SICK));
    IOException e = assertThrows(IOException.class, this::open);
    assertTrue(e.toString(), e.getMessage().contains("Input/output error"));
    assertEquals(List.of(volume), checked);
  }

  @Test
  public void fill_noMemoryToOpen_volumeCanBeRemoved() throws IOException {
    DataNode datanode = mock(DataNode.class);
    doReturn(dataset).when(datanode).getFSDataset();
    when(replica.getMetaFile()).thenReturn(folder.newFile());
    when(replica.getBlockFile()).thenThrow(new OutOfMemoryError("planted"));
    assertFillGivesBackTheVolume(datanode);
  }

  @Test
  public void fill_noMemoryToLookIfItIsCurrent_volumeCanBeRemoved() throws IOException {
    DataNode datanode = mock(DataNode.class);
    doReturn(dataset).doThrow(new OutOfMemoryError("planted")).when(datanode).getFSDataset();
    setFiles(folder.newFile(), metaFile());
    assertFillGivesBackTheVolume(datanode);
  }

  @Test
  public void readData_cannotBeRead_theDiskIsChecked() throws IOException {
    setFiles(new File(SICK), metaFile());
    try (ReplicaFiles files = open()) {
      assertThrows(IOException.class, () -> files.readData(0, ByteBuffer.allocate(1)));
      assertEquals(List.of(volume), checked);
    }
  }

  @Test
  public void readData_fileTooShort_saysNothingOfTheDisk() throws IOException {
    setFiles(folder.newFile(), metaFile());
    try (ReplicaFiles files = open()) {
      assertThrows(EOFException.class, () -> files.readData(0, ByteBuffer.allocate(1)));
      assertEquals(List.of(), checked);
    }
  }
}
