import { portOf, secretOf, type SimulatorHome } from '../state.js'
import { startPixSimulator } from './simulator.js'

/** The receiver that the sandbox's provider knows: a random key (EVP) and the CNPJ of nobody. */
const ACCOUNT = {
  key: '7d9f0335-8dcc-4054-9bf9-0dbd61d36906',
  name: 'Sandbox Recebedor',
  city: 'Sao Paulo',
  cnpj: '11222333000181',
} as const

const CLIENT_ID = 'sandbox-client'

/** Starts the simulator of the Pix provider on the sandbox's folder. Rejects where its port is taken. */
export async function startPixSandbox({ file, dataDir, clock }: SimulatorHome) {
  const credentials = { clientId: CLIENT_ID, clientSecret: secretOf(file, 'pix-client-secret') }
  const port = await portOf(file, 'pix')
  const simulator = await startPixSimulator({ port, clock, credentials, account: ACCOUNT, dataDir })
  return {
    url: simulator.url,
    settings: { ...credentials, ...pixSettingsOf(simulator.url, ACCOUNT) },
    advanceClock: () => simulator.advanceClock(),
    close: () => simulator.close(),
  }
}

/** How a product reaches a simulator of the Pix provider, beside its credentials. */
export function pixSettingsOf(baseUrl: string, account: { key: string; name: string; city: string }) {
  return {
    baseUrl,
    tokenPath: '/oauth/token',
    tokenBody: 'json' as const,
    scope: undefined,
    appKey: undefined,
    key: account.key,
    receiverName: account.name,
    receiverCity: account.city,
    mutualTls: undefined,
  }
}
