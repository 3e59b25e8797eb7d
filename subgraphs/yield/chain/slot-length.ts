/** An epoch of mainnet, whose first slots are its multiples (no warm-up). */
const SLOTS_PER_EPOCH = 432_000n
/** After so many slots of an epoch the clock's whole seconds blur their length by less than a hundredth. */
const SLOTS_MIN = 600n
/** What no chain's slots are shorter or longer than, in microseconds: of a chain with other epochs nothing is told. */
const [SHORTEST, LONGEST] = [50_000n, 2_000_000n]

/** What the chain's own clock says of its present epoch; times are Unix seconds. */
export interface EpochClock {
  slot: bigint
  epoch: bigint
  epochStartSeconds: bigint
  unixSeconds: bigint
}

/**
 * Tells how long the slots of an epoch are, from one reading of the chain's clock; while an epoch is too young to tell, as long as they were
 * last.
 * @returns microseconds for a reading; undefined where none has told yet
 */
export function slotLength(): (clock: EpochClock) => bigint | undefined {
  let last: bigint | undefined
  return ({ slot, epoch, epochStartSeconds, unixSeconds }) => {
    const slots = slot - epoch * SLOTS_PER_EPOCH
    if (slots < SLOTS_MIN || slots >= SLOTS_PER_EPOCH) return last
    const microseconds = ((unixSeconds - epochStartSeconds) * 1_000_000n) / slots
    if (microseconds >= SHORTEST && microseconds <= LONGEST) last = microseconds
    return last
  }
}
