import { join } from 'node:path'
import { portOf, secretOf, type SimulatorHome } from '../state.js'
import { startKycSimulator } from './simulator.js'

/** The provider's ids of the sandbox's workflows: the same everywhere, as they are in a console. */
const WORKFLOW_IDS = {
  person: '6b1f0a52-0f0b-4a53-9c0e-5f1a3f6f0001',
  company: '6b1f0a52-0f0b-4a53-9c0e-5f1a3f6f0002',
} as const

/** The sandbox's verification provider, running; its `verifier` is how the product reaches it. */
export type KycSandbox = Awaited<ReturnType<typeof startKycSandbox>>

/** Starts the simulator of the verification provider on the sandbox's folder. Rejects where its port is taken. */
export async function startKycSandbox({ file, dataDir, clock }: SimulatorHome) {
  const apiKey = secretOf(file, 'kyc-api-key')
  const webhookSecret = secretOf(file, 'kyc-webhook-secret')
  const simulator = await startKycSimulator({
    port: await portOf(file, 'kyc'),
    apiKey,
    webhookSecret,
    workflowIds: Object.values(WORKFLOW_IDS),
    clock,
    file: join(dataDir, 'kyc-sessions.json'),
  })
  return {
    verifier: { name: 'didit' as const, baseUrl: simulator.url, apiKey, webhookSecret, workflowIds: WORKFLOW_IDS },
    /** Tells the provider where callbacks go to, as its console would be told. */
    setProductUrl: (restUrl: string) => {
      simulator.setWebhookUrl(`${restUrl}/callbacks/kyc/didit`)
    },
    advanceClock: () => simulator.advanceClock(),
    close: () => simulator.close(),
  }
}
