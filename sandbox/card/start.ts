import { join } from 'node:path'
import type { Clock } from '../../kernel/clock.js'
import { portOf, secretOf, type StateFile } from '../state.js'
import { startCardSimulator } from './simulator.js'

/** The sandbox's card processor, running. */
export interface CardSandbox {
  /** Its base address; the API is below, control routes beside it. */
  url: string
  /** How the product reaches it. */
  settings: {
    baseUrl: string
    secretKey: string
    publicKey: string
    callbackUser: string
    callbackPassword: string
  }
  /** Tells the processor where the product is, as its dashboard does. */
  setProductUrl: (url: string) => void
  advanceClock: () => Promise<void>
  close: () => Promise<void>
}

/** Starts the simulator of the card processor on the sandbox's folder. Rejects where its port is taken. */
export async function startCardSandbox(options: {
  file: StateFile
  dataDir: string
  clock: Clock
}): Promise<CardSandbox> {
  const { file, dataDir, clock } = options
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
    settings: { ...keys, baseUrl: simulator.apiUrl },
    setProductUrl: (url) => {
      simulator.setCallbackUrl(`${url}/callbacks/card/`)
    },
    advanceClock: () => simulator.advanceClock(),
    close: () => simulator.close(),
  }
}
