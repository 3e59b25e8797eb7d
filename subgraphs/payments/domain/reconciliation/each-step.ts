import { ProviderError } from '../../../../kernel/provider-error.js'

/**
 * Does the steps one after the other, though the provider fails at one of them: what one list cannot show keeps no other from being read.
 * @throws ProviderError the first, in the end
 */
export async function eachStep(...steps: readonly (() => Promise<void>)[]): Promise<void> {
  let failure: ProviderError | undefined
  for (const step of steps)
    await step().catch((error: unknown) => {
      if (!(error instanceof ProviderError)) throw error
      failure ??= error
    })
  if (failure) throw failure
}
