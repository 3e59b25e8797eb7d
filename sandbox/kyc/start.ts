import { join } from 'node:path'
import type { Clock } from '../../kernel/clock.js'
import { startMailSimulator } from '../mail/simulator.js'
import { portOf, secretOf, type StateFile } from '../state.js'
import { startKycSimulator } from './simulator.js'

/** The provider's ids of the sandbox's workflows: the same everywhere, as they are in a console. */
const WORKFLOW_IDS = {
  person: '6b1f0a52-0f0b-4a53-9c0e-5f1a3f6f0001',
  company: '6b1f0a52-0f0b-4a53-9c0e-5f1a3f6f0002',
} as const

/** Everything outside that identity verification needs, running. */
export interface KycSandbox {
  /** How the product reaches the mail server and the verification provider. */
  kyc: {
    mail: { url: string; from: string }
    verifier: {
      name: 'didit'
      baseUrl: string
      apiKey: string
      webhookSecret: string
      workflowIds: typeof WORKFLOW_IDS
    }
  }
  mailboxUrl: string
  /** Tells the provider where callbacks go to, as its console would be told. */
  setProductUrl: (restUrl: string) => void
  advanceClock: () => Promise<void>
  close: () => Promise<void>
}

/** Starts the simulator of the verification provider and the mail server. Rejects where a port is taken. */
export async function startKycSandbox(options: {
  file: StateFile
  dataDir: string
  clock: Clock
}): Promise<KycSandbox> {
  const { file, clock } = options
  const apiKey = secretOf(file, 'kyc-api-key')
  const webhookSecret = secretOf(file, 'kyc-webhook-secret')
  const mail = await startMailSimulator({
    port: await portOf(file, 'mailbox'),
    smtpPort: await portOf(file, 'smtp'),
    clock,
  })
  try {
    const simulator = await startKycSimulator({
      port: await portOf(file, 'kyc'),
      apiKey,
      webhookSecret,
      workflowIds: Object.values(WORKFLOW_IDS),
      clock,
      file: join(options.dataDir, 'kyc-sessions.json'),
    })
    return {
      kyc: {
        mail: { url: mail.smtpUrl, from: 'Payments API sandbox <no-reply@sandbox.example>' },
        verifier: { name: 'didit', baseUrl: simulator.url, apiKey, webhookSecret, workflowIds: WORKFLOW_IDS },
      },
      mailboxUrl: mail.mailboxUrl,
      setProductUrl: (restUrl) => {
        simulator.setWebhookUrl(`${restUrl}/callbacks/kyc/didit`)
      },
      advanceClock: () => simulator.advanceClock(),
      close: async () => {
        await simulator.close()
        await mail.close()
      },
    }
  } catch (error) {
    await mail.close()
    throw error
  }
}
