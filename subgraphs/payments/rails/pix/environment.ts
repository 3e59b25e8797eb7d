import { file, oneOf, readEnv, text, url } from '../../../../kernel/env.js'
import type { RailEnvironment } from '../rail.js'
import type { PixSettings } from './settings.js'

const variables = {
  url: url('PIX_BASE_URL', "the Pix provider's API, with its base path"),
  tokenPath: text('PIX_TOKEN_PATH', 'where its tokens are had; a URL where that is another host', '/oauth/token'),
  tokenBody: oneOf('PIX_TOKEN_BODY', "the form of the token request's body", ['json', 'form'], 'json'),
  scope: text('PIX_SCOPE', 'asked for with a form body'),
  clientId: text('PIX_CLIENT_ID', 'OAuth2 client'),
  clientSecret: text('PIX_CLIENT_SECRET', "the client's secret"),
  appKeyName: text('PIX_APP_KEY_NAME', 'name of an application key in the query, e.g. gw-dev-app-key'),
  appKey: text('PIX_APP_KEY', 'that application key'),
  key: text('PIX_KEY', 'the Pix key (DICT) that receives'),
  receiverName: text('PIX_RECEIVER_NAME', 'shown to payers where the provider makes no code', 'Pagamento'),
  receiverCity: text('PIX_RECEIVER_CITY', 'shown to payers where the provider makes no code', 'Sao Paulo'),
  tlsCert: file('PIX_TLS_CERT_FILE', 'client certificate for mutual TLS, PEM'),
  tlsKey: file('PIX_TLS_KEY_FILE', "the certificate's key, PEM"),
  tlsCa: file('PIX_TLS_CA_FILE', 'the authority of the provider, PEM; the usual ones if not set'),
}

/** What the environment says of Pix. */
export const PIX_ENVIRONMENT: RailEnvironment = {
  variables,
  required: ['PIX_BASE_URL', 'PIX_CLIENT_ID', 'PIX_CLIENT_SECRET', 'PIX_KEY'],
  secrets: ['PIX_CLIENT_SECRET', 'PIX_APP_KEY', 'PIX_TLS_KEY_FILE'],
}

/** How the environment says that the provider is reached; undefined where it does not. Throws EnvError. */
export function readPixSettings(environment: NodeJS.ProcessEnv): PixSettings | undefined {
  const { url: baseUrl, clientId, clientSecret, key, ...values } = readEnv(variables, environment)
  if (baseUrl === undefined || clientId === undefined || clientSecret === undefined || key === undefined) {
    return undefined
  }
  const { appKeyName: name, appKey: value, tlsCert, tlsKey, tlsCa, ...others } = values
  return {
    ...{ ...others, baseUrl, clientId, clientSecret, key },
    appKey: name !== undefined && value !== undefined ? { name, value } : undefined,
    mutualTls: tlsCert !== undefined && tlsKey !== undefined ? { cert: tlsCert, key: tlsKey, ca: tlsCa } : undefined,
  }
}
