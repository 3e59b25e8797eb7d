/**
 * What loads a module that is not in the first view's script, and again where that failed before.
 * @returns it throws what the browser says of a module that cannot be had
 */
export function loadAgain<Module>(load: () => Promise<Module>): () => Promise<Module> {
  let again: string | undefined
  return async () => {
    try {
      return again === undefined ? await load() : ((await import(/* @vite-ignore */ again)) as Module)
    } catch (error) {
      again = newAddress(error)
      throw error
    }
  }
}

/**
 * Browsers may keep for good that a module could not be loaded (Chromium does since 150), under its address: another query is another
 * address. Where the error does not tell it (Safari), the module is asked for as before.
 */
function newAddress(error: unknown): string | undefined {
  const [address] = /https?:[^\s?]+/.exec(String(error)) ?? []
  return address && `${address}?again=${Date.now()}`
}
