import { flag, readEnv, text, url } from '../../../../kernel/env.js'
import type { RailEnvironment } from '../rail.js'
import type { CardSettings } from './settings.js'

const variables = {
  baseUrl: url('CARD_BASE_URL', "the card processor's API, with its base path"),
  secretKey: text('CARD_SECRET_KEY', "the card processor's secret key, sk_…"),
  publicKey: text('CARD_PUBLIC_KEY', "the card processor's public key, pk_…"),
  callbackUser: text('CARD_WEBHOOK_USER', 'with which it calls back to /callbacks/card/ by HTTP Basic'),
  callbackPassword: text('CARD_WEBHOOK_PASSWORD', 'the password of that user'),
  isRawEnabled: flag('CARD_RAW_ENABLED', 'whether raw card fields are taken', true),
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
  sandbox: Omit<CardSettings, 'isRawEnabled'> | undefined,
): CardSettings | undefined {
  const { isRawEnabled, baseUrl, secretKey, publicKey, ...callbacks } = readEnv(variables, environment)
  const { callbackUser, callbackPassword } = callbacks
  const isWhole = baseUrl !== undefined && secretKey !== undefined && publicKey !== undefined
  if (!isWhole || callbackUser === undefined || callbackPassword === undefined) {
    return sandbox && { isRawEnabled, ...sandbox }
  }
  return { baseUrl, secretKey, publicKey, callbackUser, callbackPassword, isRawEnabled }
}
