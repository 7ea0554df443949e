/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.testing;

import static org.junit.Assert.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.datatransfer.DataTransferProtoUtil;
import org.apache.hadoop.hdfs.protocol.datatransfer.PacketReceiver;
import org.apache.hadoop.hdfs.protocol.datatransfer.Sender;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.BlockOpResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.Status;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenSecretManager;
import org.apache.hadoop.hdfs.server.datanode.CachingStrategy;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.util.DataChecksum;

/**
 * Reads a block over the data transfer protocol packet by packet, at a pace of the test's choice,
 * so that it can see what a client library hides.
 */
public final class RawReader implements Closeable {

  private final SocketChannel socket;
  private final DataInputStream in;
  private final PacketReceiver receiver = new PacketReceiver(false);
  private final List<Integer> packets = new ArrayList<>();
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final DataChecksum checksum;
  private boolean atEnd;

  /**
   * Asks for a part of a block.
   *
   * @param clientName empty for a DataNode that reconstructs an erasure-coded block
   */
  public RawReader(DataNode dataNode, ExtendedBlock block, String clientName, long offset,
      long length) throws IOException {
    socket = SocketChannel.open();
    // Small, so that a DataNode whose client does not read soon has to wait.
    socket.socket().setReceiveBufferSize(64 << 10);
    socket.connect(new InetSocketAddress("127.0.0.1", dataNode.getXferPort()));
    in = new DataInputStream(socket.socket().getInputStream());
    new Sender(new DataOutputStream(socket.socket().getOutputStream())).readBlock(block,
        BlockTokenSecretManager.DUMMY_TOKEN, clientName, offset, length, true,
        CachingStrategy.newDefaultStrategy());
    BlockOpResponseProto response =
        BlockOpResponseProto.parseFrom(PBHelperClient.vintPrefixed(in));
    if (response.getStatus() != Status.SUCCESS) {
      throw new IOException(response.getMessage());
    }
    checksum = DataTransferProtoUtil.fromProto(response.getReadOpChecksumInfo().getChecksum());
  }

  /** Asks for a whole block, and takes one packet: the DataNode waits, if the block is large. */
  public static RawReader begun(DataNode dataNode, ExtendedBlock block) throws IOException {
    RawReader reader = new RawReader(dataNode, block, "test", 0, block.getNumBytes());
    assertTrue("empty: " + block, reader.next());
    return reader;
  }

  /**
   * Reads a packet and verifies its checksums.
   *
   * @return false if it was the last, which is empty
   */
  public boolean next() throws IOException {
    receiver.receiveNextPacket(in);
    atEnd = receiver.getHeader().isLastPacketInBlock();
    if (!atEnd) {
      ByteBuffer data = receiver.getDataSlice();
      checksum.verifyChunkedSums(data, receiver.getChecksumSlice(), "packet", bytes.size());
      packets.add(data.remaining());
      byte[] copy = new byte[data.remaining()];
      data.get(copy);
      bytes.write(copy);
    }
    return !atEnd;
  }

  /** Reads all packets that are left. */
  public RawReader readToEnd() throws IOException {
    while (!atEnd) {
      next();
    }
    return this;
  }

  /** @return the bytes of data in each packet so far. */
  public List<Integer> packets() {
    return packets;
  }

  /** @return the data so far, from the beginning of the first chunk. */
  public byte[] bytes() {
    return bytes.toByteArray();
  }

  @Override
  public void close() throws IOException {
    receiver.close();
    socket.close();
  }
}
