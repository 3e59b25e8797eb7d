import type { PaymentsClient } from '../client.js'
import type { SandboxFile } from './sandbox-file.js'

/** A run of something real: the sandbox it is in, and where its webhooks go. */
export interface TriggerContext {
  client: PaymentsClient
  sandbox: SandboxFile
  webhookUrl: string
}
