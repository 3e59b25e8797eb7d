import type { Clock } from '../../kernel/clock.js'
import { portOf, secretOf, type StateFile } from '../state.js'
import { startPixSimulator } from './simulator.js'

/** The receiver that the sandbox's provider knows: a random key (EVP) and the CNPJ of nobody. */
const ACCOUNT = {
  key: '7d9f0335-8dcc-4054-9bf9-0dbd61d36906',
  name: 'Sandbox Recebedor',
  city: 'Sao Paulo',
  cnpj: '11222333000181',
} as const

const CLIENT_ID = 'sandbox-client'

/** The sandbox's Pix provider, running. */
export interface PixSandbox {
  /** How the product reaches it. */
  settings: {
    baseUrl: string
    tokenPath: string
    tokenBody: 'json'
    clientId: string
    clientSecret: string
    scope: undefined
    appKey: undefined
    key: string
    receiverName: string
    receiverCity: string
    mutualTls: undefined
  }
  advanceClock: () => Promise<void>
  close: () => Promise<void>
}

/** Starts the simulator of the Pix provider on the sandbox's folder. Rejects where its port is taken. */
export async function startPixSandbox(options: {
  file: StateFile
  dataDir: string
  clock: Clock
}): Promise<PixSandbox> {
  const { file, dataDir, clock } = options
  const credentials = { clientId: CLIENT_ID, clientSecret: secretOf(file, 'pix-client-secret') }
  const port = await portOf(file, 'pix')
  const simulator = await startPixSimulator({ port, clock, credentials, account: ACCOUNT, dataDir })
  return {
    settings: {
      ...credentials,
      baseUrl: simulator.url,
      tokenPath: '/oauth/token',
      tokenBody: 'json',
      scope: undefined,
      appKey: undefined,
      key: ACCOUNT.key,
      receiverName: ACCOUNT.name,
      receiverCity: ACCOUNT.city,
      mutualTls: undefined,
    },
    advanceClock: () => simulator.advanceClock(),
    close: () => simulator.close(),
  }
}
