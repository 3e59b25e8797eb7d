import { join } from 'node:path'
import { portOf, secretOf, type SimulatorHome } from '../state.js'
import { startCardSimulator } from './simulator.js'

/**
 * Starts the simulator of the card processor on the sandbox's folder. Its API is below its `url`, control routes beside it.
 * Rejects where its port is taken.
 */
export async function startCardSandbox({ file, dataDir, clock }: SimulatorHome) {
  const keys = {
    secretKey: `sk_test_${secretOf(file, 'card-secret-key')}`,
    publicKey: `pk_test_${secretOf(file, 'card-public-key')}`,
    callbackUser: 'sandbox',
    callbackPassword: secretOf(file, 'card-callback-password'),
  }
  const port = await portOf(file, 'card')
  const simulator = await startCardSimulator({ ...keys, port, clock, file: join(dataDir, 'card-orders.json') })
  return {
    url: simulator.url,
    settings: { ...keys, baseUrl: simulator.apiUrl, platformRecipient: 'rp_platform' },
    /** Tells the processor where the product is, as its dashboard does. */
    setProductUrl: (url: string) => {
      simulator.setCallbackUrl(`${url}/callbacks/card/`)
    },
    advanceClock: () => simulator.advanceClock(),
    close: () => simulator.close(),
  }
}
