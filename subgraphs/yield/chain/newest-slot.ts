/** So many slots the answers of two nodes may be apart, of which one lags: about half an hour. */
const APART_MAX = 5_000
/** A newest slot that all answers have been far behind for so long is none of this chain. */
const FORGOTTEN_MS = 600_000

/** The newest slot that nodes have shown; 0 before the first. */
export interface NewestSlot {
  note: (slot: number) => void
  read: () => number
}

/**
 * Keeps the newest slot that nodes have shown. A slot that is far ahead of it stays only where the next answer agrees: one that no chain
 * has would stay until a restart, and all nodes be behind it. Until the next answer it counts, as it is right where nothing was
 * asked for hours: what relies on the newest slot may wait in vain then, but is not misled. Where a node of another chain has agreed with
 * itself, that is forgotten once nothing else comes near for minutes.
 */
export function newestSlot(nowMs = () => performance.now()): NewestSlot {
  let newest = 0
  let claimed = 0
  let farSinceMs: number | undefined
  const isNear = (slot: number, other: number): boolean => other > 0 && slot <= other + APART_MAX
  return {
    note: (slot) => {
      farSinceMs = isNear(newest, slot) ? undefined : (farSinceMs ?? nowMs())
      if (farSinceMs !== undefined && nowMs() - farSinceMs >= FORGOTTEN_MS) newest = slot
      const isAgreed = isNear(slot, claimed) && isNear(claimed, slot)
      const counts = isNear(slot, newest) || isAgreed
      if (counts) newest = Math.max(newest, slot, isAgreed ? claimed : 0)
      claimed = counts ? 0 : slot
    },
    read: () => Math.max(newest, claimed),
  }
}
