import bs58 from 'bs58'
import type { Hex } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { parseContainerPath, parseContainerUrl, type ContainerRole } from '../chains/signers/aws-credentials.js'
import type { AwsCredentials } from '../chains/signers/aws-signature.js'
import { parseEvmSigner, parseSignerUrl, parseSolanaSigner } from '../chains/signers/parse-signer.js'
import { localSolanaSigner } from '../chains/solana/signer.js'
import { parsed, parsedList, text, type Values } from '../kernel/env.js'

const EVM_FORM = 'web3signer:https://host?address=0x… or aws-kms:region/key-id?address=0x…'

const SEVERAL = 'several, separated by commas, share the payouts, and the first stands for the treasury'

/** Who signs: for each account its private key, or where a remote signer has it. */
export const SIGNER_VARIABLES = {
  operatorKey: text('OPERATOR_EVM_KEY', 'private key that pays the gas of splits, 0x and 64 hex characters'),
  operatorSigner: parsed('OPERATOR_EVM_SIGNER', `a remote signer instead of that key: ${EVM_FORM}`, parseEvmSigner),
  treasuryEvmKeys: parsedList(
    'TREASURY_EVM_KEY',
    `private key that pays receivers on EVM chains, 0x and 64 hex characters; ${SEVERAL}`,
    parseEvmKey,
  ),
  treasuryEvmSigners: parsedList(
    'TREASURY_EVM_SIGNER',
    'remote signers instead of those keys, each as OPERATOR_EVM_SIGNER',
    parseEvmSigner,
  ),
  treasurySolanaKeys: parsedList(
    'TREASURY_SOLANA_KEY',
    `private key that pays receivers on Solana, base58 of 64 bytes; ${SEVERAL}`,
    parseSolanaKey,
  ),
  treasurySolanaSigners: parsedList(
    'TREASURY_SOLANA_SIGNER',
    'remote signers instead of those keys: aws-kms:region/key-id?address=…',
    parseSolanaSigner,
  ),
  awsAccessKeyId: text('AWS_ACCESS_KEY_ID', 'who asks AWS KMS, where a signer is there'),
  awsSecretAccessKey: text('AWS_SECRET_ACCESS_KEY', 'the secret of that access key'),
  awsSessionToken: text('AWS_SESSION_TOKEN', 'where the access key is a temporary one'),
  awsContainerUrl: parsed(
    'AWS_CONTAINER_CREDENTIALS_FULL_URI',
    'where a container gets such credentials (set by EKS)',
    parseContainerUrl,
  ),
  awsContainerPath: parsed('AWS_CONTAINER_CREDENTIALS_RELATIVE_URI', 'the same where ECS sets it', parseContainerPath),
  awsContainerTokenFile: text(
    'AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE',
    'the file of the token that is asked for there',
  ),
  kmsUrl: parsed(
    'AWS_ENDPOINT_URL_KMS',
    "another address of AWS KMS than the region's, e.g. a VPC endpoint",
    parseSignerUrl,
  ),
}

/** What in these looks like production where it is set. */
export const SIGNER_SECRETS = [
  'OPERATOR_EVM_KEY',
  'OPERATOR_EVM_SIGNER',
  'TREASURY_EVM_KEY',
  'TREASURY_EVM_SIGNER',
  'TREASURY_SOLANA_KEY',
  'TREASURY_SOLANA_SIGNER',
]

type SignerValues = Values<typeof SIGNER_VARIABLES>

/** For each account what is configured for it, or undefined. */
export function signersOf(env: SignerValues): readonly unknown[] {
  return [
    env.operatorSigner ?? env.operatorKey,
    env.treasuryEvmSigners ?? env.treasuryEvmKeys,
    env.treasurySolanaSigners ?? env.treasurySolanaKeys,
  ]
}

/** The settings of accounts that live lacks. */
export function missingSigners(env: SignerValues, needs: { treasury: boolean }): string[] {
  const [operator, treasury] = signersOf(env)
  return [
    ...(operator === undefined ? ['OPERATOR_EVM_KEY or OPERATOR_EVM_SIGNER'] : []),
    ...(needs.treasury && treasury === undefined ? ['TREASURY_EVM_KEY or TREASURY_EVM_SIGNER'] : []),
  ]
}

/** The access key of the environment, otherwise the role of the container, as AWS's own tools choose. */
export function awsCredentialsOf(env: SignerValues): AwsCredentials | ContainerRole | undefined {
  const { awsAccessKeyId: accessKeyId, awsSecretAccessKey: secretAccessKey, awsSessionToken: sessionToken } = env
  if (accessKeyId !== undefined && secretAccessKey !== undefined) return { accessKeyId, secretAccessKey, sessionToken }
  const url = env.awsContainerPath ?? env.awsContainerUrl
  return url === undefined ? undefined : { url, tokenFile: env.awsContainerTokenFile }
}

/** What does not fit together, one sentence each, without any value. */
export function signerProblems(env: SignerValues): string[] {
  return [...doubled(env), ...withoutAws(env), ...namedTwice(env), ...sharedAccounts(env)]
}

function doubled(env: SignerValues): string[] {
  const pairs: [string, unknown, unknown][] = [
    ['OPERATOR_EVM', env.operatorKey, env.operatorSigner],
    ['TREASURY_EVM', env.treasuryEvmKeys, env.treasuryEvmSigners],
    ['TREASURY_SOLANA', env.treasurySolanaKeys, env.treasurySolanaSigners],
  ]
  return pairs
    .filter(([, key, signer]) => key !== undefined && signer !== undefined)
    .map(([name]) => `${name}_SIGNER and ${name}_KEY are both set: take one of them out`)
}

function withoutAws(env: SignerValues): string[] {
  if (awsCredentialsOf(env)) return []
  const signers = [
    ['OPERATOR_EVM_SIGNER', [env.operatorSigner]],
    ['TREASURY_EVM_SIGNER', env.treasuryEvmSigners ?? []],
    ['TREASURY_SOLANA_SIGNER', env.treasurySolanaSigners ?? []],
  ] as const
  return signers
    .filter(([, all]) => all.some((signer) => signer?.kind === 'aws-kms'))
    .map(
      ([name]) =>
        `${name} is in AWS KMS, which needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or the role of a container`,
    )
}

/** The accounts of a list, and the setting that has it. */
function treasuriesOf(env: SignerValues): { name: string; accounts: readonly string[] }[] {
  const { treasuryEvmSigners, treasuryEvmKeys, treasurySolanaSigners, treasurySolanaKeys } = env
  const addresses = (signers: readonly { address: string }[]): string[] => signers.map(({ address }) => address)
  return [
    treasuryEvmSigners
      ? { name: 'TREASURY_EVM_SIGNER', accounts: addresses(treasuryEvmSigners) }
      : { name: 'TREASURY_EVM_KEY', accounts: (treasuryEvmKeys ?? []).map(privateKeyToAddress) },
    treasurySolanaSigners
      ? { name: 'TREASURY_SOLANA_SIGNER', accounts: addresses(treasurySolanaSigners) }
      : {
          name: 'TREASURY_SOLANA_KEY',
          accounts: (treasurySolanaKeys ?? []).map((key) => localSolanaSigner(key).address),
        },
  ]
}

function namedTwice(env: SignerValues): string[] {
  return treasuriesOf(env).flatMap(({ name, accounts }) =>
    accounts.flatMap((account, index) => {
      const first = accounts.indexOf(account)
      const places = `entries ${first + 1} and ${index + 1}`
      return first === index ? [] : [`${name} has the same account in ${places}: take one of them out`]
    }),
  )
}

/** Each account keeps its own count of nonces: two that share a key would take each other's. */
function sharedAccounts(env: SignerValues): string[] {
  const operator = env.operatorSigner?.address ?? addressOf(env.operatorKey)
  const treasury = treasuriesOf(env).find(({ accounts }) => operator !== undefined && accounts.includes(operator))
  if (!treasury) return []
  const operatorName = env.operatorSigner ? 'OPERATOR_EVM_SIGNER' : 'OPERATOR_EVM_KEY'
  return [`${operatorName} and ${treasury.name} are the same key: they need accounts of their own`]
}

function addressOf(key: string | undefined): string | undefined {
  return /^0x[0-9a-f]{64}$/i.test(key ?? '') ? privateKeyToAddress(key as Hex) : undefined
}

/** @throws Error whose message completes "NAME …" and holds nothing of the text */
function parseEvmKey(text: string): Hex {
  const isKey = /^0x[0-9a-f]{64}$/i.test(text) && isTaken(() => privateKeyToAddress(text as Hex))
  if (!isKey) throw new Error('must be a private key: 0x and 64 hex characters')
  return text as Hex
}

/** Whether the library takes a key. */
function isTaken(use: () => unknown): boolean {
  try {
    use()
    return true
  } catch {
    return false
  }
}

/** @throws Error as `parseEvmKey` */
function parseSolanaKey(text: string): Uint8Array {
  const bytes = /^[1-9A-HJ-NP-Za-km-z]{32,88}$/.test(text) ? bs58.decode(text) : new Uint8Array()
  // The half that is secret is enough.
  if (!isTaken(() => localSolanaSigner(bytes))) throw new Error('must be a private key: base58 of 64 bytes')
  return bytes
}
