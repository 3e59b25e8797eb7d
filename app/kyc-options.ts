import { createEvmClient } from '../chains/evm/client.js'
import type { PartialSandbox } from '../sandbox/sandbox.js'
import type { KycServerOptions } from '../subgraphs/kyc/server.js'
import { createVault } from '../subgraphs/kyc/vault.js'
import type { Env } from './env.js'
import type { Deployment } from './start-subgraphs.js'

/** How identity verification reaches the outside world; what is not configured is not there. */
export type KycDeployment = Pick<KycServerOptions, 'mail' | 'verifier' | 'timeoutMs'>

/** The mail server and the verification provider: those of the environment, otherwise the sandbox's. */
export function kycDeployment(env: Env, sandbox: Pick<PartialSandbox, 'mail' | 'verifier'> | undefined): KycDeployment {
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

/** What the kyc subgraph is started with besides what all subgraphs have. */
export function kycOptions(
  deployment: Deployment,
): Pick<KycServerOptions, 'settings' | 'vault' | 'evmClient' | 'mail' | 'verifier' | 'timeoutMs'> {
  const { env, chains, publicUrl, masterKeys, kyc } = deployment
  const evmChain = chains.find((chain) => chain.family === 'evm')
  return {
    ...kyc,
    vault: createVault(masterKeys),
    evmClient: evmChain && createEvmClient(evmChain, { timeoutMs: kyc.timeoutMs }),
    settings: {
      monthlyQuota: env.kycMonthlyQuota,
      approvalLifeMs: env.kycApprovalDays * 86_400_000,
      issuer: {
        domain: new URL(publicUrl).host,
        uri: publicUrl,
        evmChainId: evmChain?.chainId ?? 1,
        solanaCluster: 'mainnet',
      },
    },
  }
}
