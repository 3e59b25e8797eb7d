import { isAmount, isPositive } from '../../../../kernel/money.js'
import { flag, parsed, readEnv, text, url } from '../../../../kernel/env.js'
import type { RailEnvironment } from '../rail.js'
import type { CardSettings } from './settings.js'

const variables = {
  baseUrl: url('CARD_BASE_URL', "the card processor's API, with its base path"),
  secretKey: text('CARD_SECRET_KEY', "the card processor's secret key, sk_…"),
  publicKey: text('CARD_PUBLIC_KEY', "the card processor's public key, pk_…"),
  callbackUser: text('CARD_WEBHOOK_USER', 'with which it calls back to /callbacks/card/ by HTTP Basic'),
  callbackPassword: text('CARD_WEBHOOK_PASSWORD', 'the password of that user'),
  isRawEnabled: flag('CARD_RAW_ENABLED', 'whether raw card fields are taken', true),
  platformRecipient: parsed(
    'CARD_PLATFORM_RECIPIENT',
    'who gets the fee of what is shared out in fiat, rp_…',
    readRecipient,
  ),
  feeMaxPercent: parsed('CARD_FEE_MAX_PERCENT', 'what the processor may keep of a charge; more is told', readPercent),
}

function readPercent(given: string): string {
  if (isAmount(given) && isPositive(given) && Number(given) <= 100) return given
  throw new Error('must be a number above zero, up to 100')
}

function readRecipient(given: string): string {
  if (/^r[ep]_[A-Za-z0-9]+$/.test(given)) return given
  throw new Error('must be the id of a recipient, rp_…')
}

/** What the environment says of cards. */
export const CARD_ENVIRONMENT: RailEnvironment = {
  variables,
  required: ['CARD_BASE_URL', 'CARD_SECRET_KEY', 'CARD_PUBLIC_KEY', 'CARD_WEBHOOK_USER', 'CARD_WEBHOOK_PASSWORD'],
  secrets: ['CARD_SECRET_KEY', 'CARD_WEBHOOK_PASSWORD'],
}

/**
 * How the environment says that the processor is reached; otherwise how the sandbox does, undefined where neither does.
 * @throws EnvError
 */
export function readCardSettings(
  environment: NodeJS.ProcessEnv,
  sandbox: Omit<CardSettings, 'isRawEnabled' | 'feeMaxPercent'> | undefined,
): CardSettings | undefined {
  const { isRawEnabled, feeMaxPercent, platformRecipient, ...keys } = readEnv(variables, environment)
  const { baseUrl, secretKey, publicKey, ...callbacks } = keys
  const { callbackUser, callbackPassword } = callbacks
  const isWhole = baseUrl !== undefined && secretKey !== undefined && publicKey !== undefined
  if (!isWhole || callbackUser === undefined || callbackPassword === undefined) {
    const recipient = platformRecipient ?? sandbox?.platformRecipient
    return sandbox && { isRawEnabled, feeMaxPercent, ...sandbox, platformRecipient: recipient }
  }
  return {
    baseUrl,
    secretKey,
    publicKey,
    callbackUser,
    callbackPassword,
    isRawEnabled,
    feeMaxPercent,
    platformRecipient,
  }
}
