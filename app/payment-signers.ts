import type { Hex } from 'viem'
import type { Chain } from '../chains/chain.js'
import { localSigner, type Signer } from '../chains/evm/signer.js'
import { containerCredentials } from '../chains/signers/aws-credentials.js'
import { kmsEvmSigner, kmsSolanaSigner, type KmsAccess } from '../chains/signers/aws-kms.js'
import type { EvmSignerLocation } from '../chains/signers/parse-signer.js'
import { web3Signer } from '../chains/signers/web3signer.js'
import { localSolanaSigner, type SolanaSigner } from '../chains/solana/signer.js'
import type { Logger } from '../kernel/log.js'
import type { PartialSandbox } from '../sandbox/sandbox.js'
import type { PaymentsOptions } from '../subgraphs/payments/context.js'
import type { Env } from './env.js'
import { awsCredentialsOf } from './signer-settings.js'

/** Who signs for the accounts of payments; a treasury that is not configured has none. */
type PaymentSigners = Pick<PaymentsOptions, 'gasPayerSigner' | 'treasuryEvmSigners' | 'treasurySolanaSigners'>

/**
 * The signers of the environment, otherwise the sandbox's. No remote signer is asked for anything before the first signature.
 * @throws Error where nobody signs for the gas payer, or a key is none
 */
export function paymentSigners(
  env: Env,
  sandbox: Pick<PartialSandbox, 'operatorKey' | 'treasuryEvmKey' | 'treasurySolanaSeed'> | undefined,
  log: Logger,
): PaymentSigners {
  const gasPayerSigner = evmSigner(env, log, env.operatorSigner, env.operatorKey ?? sandbox?.operatorKey)
  if (!gasPayerSigner) throw new Error('OPERATOR_EVM_KEY or OPERATOR_EVM_SIGNER is needed')
  return {
    gasPayerSigner,
    treasuryEvmSigners: treasuryEvmSigners(env, log, sandbox?.treasuryEvmKey),
    treasurySolanaSigners: treasurySolanaSigners(env, log, sandbox?.treasurySolanaSeed),
  }
}

/** A chain that knows which of its addresses are our own accounts' (`isReceiver`). */
export function withOwnAccounts<Of extends Chain>(
  chain: Of,
  { gasPayerSigner, treasuryEvmSigners = [], treasurySolanaSigners = [] }: PaymentSigners,
): Of {
  const signers = chain.family === 'evm' ? [gasPayerSigner, ...treasuryEvmSigners] : treasurySolanaSigners
  return { ...chain, ownAccounts: signers.map(({ address }) => address) }
}

function evmSigner(
  env: Env,
  log: Logger,
  location: EvmSignerLocation | undefined,
  key: string | undefined,
): Signer | undefined {
  if (location?.kind === 'web3signer') return web3Signer(location, { log })
  if (location) return kmsEvmSigner(location, kmsAccess(env, log))
  return key === undefined ? undefined : localSigner(key as Hex)
}

function treasuryEvmSigners(env: Env, log: Logger, sandboxKey: string | undefined): Signer[] {
  const { treasuryEvmSigners: locations, treasuryEvmKeys: keys = sandboxKey === undefined ? [] : [sandboxKey] } = env
  const ofLocations = locations?.flatMap((location) => evmSigner(env, log, location, undefined) ?? [])
  return ofLocations ?? keys.map((key) => localSigner(key as Hex))
}

function treasurySolanaSigners(env: Env, log: Logger, sandboxSeed: Uint8Array | undefined): SolanaSigner[] {
  const { treasurySolanaSigners: locations, treasurySolanaKeys: keys = sandboxSeed ? [sandboxSeed] : [] } = env
  return locations?.map((location) => kmsSolanaSigner(location, kmsAccess(env, log))) ?? keys.map(localSolanaSigner)
}

function kmsAccess(env: Env, log: Logger): KmsAccess {
  const found = awsCredentialsOf(env)
  if (!found) throw new Error('AWS_ACCESS_KEY_ID is needed')
  const now = (): Date => new Date()
  const credentials = 'url' in found ? containerCredentials(found, { log, now }) : () => Promise.resolve(found)
  return { credentials, url: env.kmsUrl, now, log }
}
