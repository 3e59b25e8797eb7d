import type { PartialSandbox } from '../sandbox/sandbox.js'
import type { KycServerOptions } from '../subgraphs/kyc/server.js'
import type { Env } from './env.js'

/** How identity verification reaches the outside world; what is not configured is not there. */
type KycProviders = Pick<KycServerOptions, 'mail' | 'verifier' | 'timeoutMs'>

/** The mail server and the verification provider: those of the environment, otherwise the sandbox's. */
export function kycProviders(env: Env, sandbox: Pick<PartialSandbox, 'mail' | 'verifier'> | undefined): KycProviders {
  const { smtpUrl, mailFrom } = env
  const mail = smtpUrl !== undefined && mailFrom !== undefined ? { url: smtpUrl, from: mailFrom } : sandbox?.mail
  const { kycUrl: baseUrl, kycApiKey: apiKey, kycWebhookSecret: webhookSecret, kycWorkflowId: person } = env
  if (baseUrl === undefined || apiKey === undefined || webhookSecret === undefined || person === undefined) {
    return { mail, verifier: sandbox?.verifier }
  }
  const company = env.kycBusinessWorkflowId
  const workflowIds = { person, ...(company !== undefined && { company }) }
  return { mail, verifier: { name: env.kycVerifier, baseUrl, apiKey, webhookSecret, workflowIds } }
}
