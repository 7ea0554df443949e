/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.store;

import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import java.io.IOException;

import io.hdfslocalcache.plugin.page.DamagedPageException;
import org.junit.Before;
import org.junit.Test;

/** What is proven stays so until something leaves memory, in whatever order threads come. */
public class TestMemoryProof {

  private static final int LENGTH = 1000;

  private final PageResidency memory = mock(PageResidency.class);
  private final MemoryProof proof = new MemoryProof(memory, LENGTH);

  @Before
  public void everythingIsMappedIn() throws IOException {
    when(memory.canBeMappedIn()).thenReturn(true);
    when(memory.mapIn()).thenReturn(true);
    when(memory.isMappedIn(anyInt(), anyInt())).thenReturn(true);
    when(memory.isAllMappedIn()).thenReturn(true);
  }

  private static void isRight() {
  }

  @Test
  public void holds_neverMade_isFalse() {
    assertFalse(proof.holds(0, 1));
  }

  @Test
  public void make_damagedPage_throwsAndProvesNothing() {
    assertThrows(DamagedPageException.class, () -> proof.make(() -> {
      throw new DamagedPageException("damaged", null);
    }));
    assertFalse(proof.holds(0, 1));
  }

  @Test
  public void holds_made_isTrueOfWhatIsStillMappedIn() throws IOException {
    assertTrue(proof.make(TestMemoryProof::isRight));
    when(memory.isMappedIn(0, 10)).thenReturn(false);
    assertFalse(proof.holds(0, 10));
    assertTrue(proof.holds(10, 20));
  }

  @Test
  public void make_cannotBeMappedIn_verifiesNothingAndIsNotTriedAgainSoon() throws IOException {
    when(memory.mapIn()).thenThrow(new IOException("cannot be mapped in"));
    assertTrue(proof.isWorthwhile(LENGTH));
    assertFalse(proof.make(() -> {
      throw new AssertionError("not in memory");
    }));
    assertFalse(proof.holds(0, 1));
    for (int i = 1; i <= 16; i++) {
      assertFalse(proof.isWorthwhile(LENGTH));
    }
    assertTrue(proof.isWorthwhile(LENGTH));
  }

  @Test
  public void make_anotherFileIsJustMappedIn_isTriedAgainSoon() throws IOException {
    when(memory.mapIn()).thenReturn(false);
    assertTrue(proof.isWorthwhile(LENGTH));
    assertFalse(proof.make(TestMemoryProof::isRight));
    assertTrue(proof.isWorthwhile(LENGTH));
  }

  @Test
  public void make_alreadyProven_isNotMadeAnew() throws IOException {
    proof.make(TestMemoryProof::isRight);
    assertTrue(proof.make(() -> {
      throw new AssertionError("verified again");
    }));
  }

  @Test
  public void make_leavesMemoryWhileVerifying_provesNothing() throws IOException {
    assertFalse(proof.make(() -> {
      when(memory.isAllMappedIn()).thenReturn(false);
      when(memory.isMappedIn(anyInt(), anyInt())).thenReturn(false);
    }));
    assertFalse(proof.holds(0, 1));
  }

  @Test
  public void holds_takenBack_isFalse() throws IOException {
    proof.make(TestMemoryProof::isRight);
    proof.takeBack();
    assertFalse(proof.holds(0, 1));
  }

  @Test
  public void make_takenBackWhileVerifying_provesNothing() throws IOException {
    proof.make(proof::takeBack);
    assertFalse(proof.holds(0, 1));
  }

  @Test
  public void make_whileAnotherThreadIsAtIt_isLeftToThat() throws IOException {
    boolean[] second = {true};
    assertTrue(proof.make(() -> second[0] = proof.make(TestMemoryProof::isRight)));
    assertFalse(second[0]);
    assertTrue(proof.holds(0, 1));
  }

  @Test
  public void holds_whileItIsMadeAnew_isFalse() throws IOException {
    proof.make(TestMemoryProof::isRight);
    when(memory.isAllMappedIn()).thenReturn(false);
    when(memory.isMappedIn(0, 1)).thenAnswer(call -> {
      // Bytes have left memory; another thread maps them in again, and they are not those of before.
      assertThrows(DamagedPageException.class, () -> proof.make(() -> {
        throw new DamagedPageException("damaged", null);
      }));
      return true;
    });
    assertFalse(proof.holds(0, 1));
  }

  @Test
  public void isWorthwhile_asMuchAsThePageHas_isTrueOnceForEachProof() throws IOException {
    assertFalse(proof.isWorthwhile(LENGTH - 1));
    assertTrue(proof.isWorthwhile(1));
    proof.make(TestMemoryProof::isRight);
    assertFalse(proof.isWorthwhile(LENGTH - 1));
  }

  @Test
  public void isWorthwhile_kernelDoesNotTell_isNever() throws IOException {
    when(memory.canBeMappedIn()).thenReturn(false);
    assertFalse(proof.isWorthwhile(LENGTH));
    verify(memory, never()).mapIn();
    assertFalse(proof.holds(0, 1));
  }
}
