const KEY_BYTES = 16

/** What was asked for and is not known to be done, each with the key that it was sent with. */
const keys = new Map<string, string>()

/**
 * The idempotency key of an act: the same for the same act until keys are forgotten, so that what is sent again after its answer was lost is
 * done once.
 * @param id of the act's document
 */
export function keyOf(id: string, variables: unknown): string {
  const asked = `${id} ${JSON.stringify(variables)}`
  const key = keys.get(asked) ?? newKey()
  keys.set(asked, key)
  return key
}

/**
 * From here on the same act is meant once more: an act was done, or a form or a dialog was opened. A refusal is no end, and neither is the
 * question for a proof.
 */
export function forgetKeys(): void {
  keys.clear()
}

/** Not `randomUUID`, which browsers have for https alone. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(KEY_BYTES)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}
