import { RAILS } from '../subgraphs/payments/rails/registry.js'
import { SIGNER_SECRETS } from './signer-settings.js'

/** The settings of which a sandbox has its own: one that is set points at production. */
const SECRETS = [
  'MASTER_KEY',
  ...SIGNER_SECRETS,
  ...RAILS.flatMap(({ environment }) => environment.secrets),
  'KYC_API_KEY',
  'KYC_WEBHOOK_SECRET',
  'ROUTER_API_KEY',
  'ORACLE_API_KEY',
  'SMTP_URL',
]

/**
 * What in an environment looks like production: a sandbox that takes it is open to all who reach it, with keys that
 * everybody knows, so that it has to be asked for by name.
 * @returns the settings, as a person would say them; values are never in it, as they may be secrets
 */
export function productionSigns(
  env: { databaseUrl: string | undefined; publicUrl: string | undefined; host: string },
  environment: NodeJS.ProcessEnv,
): string[] {
  const secrets = SECRETS.filter((name) => {
    const value = environment[name] ?? ''
    return value !== '' && !value.includes('sandbox_')
  })
  return [
    ...(env.databaseUrl === undefined ? [] : ['DATABASE_URL']),
    ...(/^https:/i.test(env.publicUrl ?? '') ? ['PUBLIC_URL with https'] : []),
    ...(isLoopback(env.host) ? [] : ['HOST off loopback']),
    ...secrets,
  ]
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host)
}
