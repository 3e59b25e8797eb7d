import bs58 from 'bs58'
import type { PartialSandbox } from '../sandbox/sandbox.js'
import type { PaymentsOptions } from '../subgraphs/payments/context.js'
import type { Env } from './env.js'

/** How payments reach those who charge, and by which keys the treasury pays; what is not configured is not there. */
export type PaymentProviders = Pick<PaymentsOptions, 'pix' | 'card' | 'treasuryEvmKey' | 'treasurySolanaKey'>

/** The providers of the environment, otherwise the sandbox's. */
export function paymentProviders(
  env: Env,
  sandbox: Pick<PartialSandbox, 'pix' | 'card' | 'treasuryEvmKey' | 'treasurySolanaSeed'> | undefined,
): PaymentProviders {
  return {
    pix: pixSettings(env) ?? sandbox?.pix,
    card: cardSettings(env, sandbox?.card),
    treasuryEvmKey: env.treasuryEvmKey ?? sandbox?.treasuryEvmKey,
    treasurySolanaKey:
      env.treasurySolanaKey === undefined ? sandbox?.treasurySolanaSeed : bs58.decode(env.treasurySolanaKey),
  }
}

function pixSettings(env: Env): PaymentProviders['pix'] {
  const { pixUrl: baseUrl, pixClientId: clientId, pixClientSecret: clientSecret, pixKey: key } = env
  if (baseUrl === undefined || clientId === undefined || clientSecret === undefined || key === undefined) {
    return undefined
  }
  const { pixAppKeyName: name, pixAppKey: value, pixTlsCert: cert, pixTlsKey: tlsKey, pixTlsCa: ca } = env
  return {
    baseUrl,
    clientId,
    clientSecret,
    key,
    tokenPath: env.pixTokenPath,
    tokenBody: env.pixTokenBody,
    scope: env.pixScope,
    appKey: name !== undefined && value !== undefined ? { name, value } : undefined,
    receiverName: env.pixReceiverName,
    receiverCity: env.pixReceiverCity,
    mutualTls: cert !== undefined && tlsKey !== undefined ? { cert, key: tlsKey, ca } : undefined,
  }
}

function cardSettings(env: Env, sandbox: PartialSandbox['card']): PaymentProviders['card'] {
  const { cardUrl: baseUrl, cardSecretKey: secretKey, cardPublicKey: publicKey, cardRawEnabled: isRawEnabled } = env
  const { cardWebhookUser: callbackUser, cardWebhookPassword: callbackPassword } = env
  const isWhole = baseUrl !== undefined && secretKey !== undefined && publicKey !== undefined
  if (!isWhole || callbackUser === undefined || callbackPassword === undefined) {
    return sandbox && { ...sandbox, isRawEnabled }
  }
  return { baseUrl, secretKey, publicKey, callbackUser, callbackPassword, isRawEnabled }
}
