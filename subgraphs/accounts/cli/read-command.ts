import {
  neededOption,
  readOptions,
  unknownCommand,
  UsageError,
  type OptionValues,
} from '../../../kernel/command-line.js'
import { PRODUCTS, type Product } from '../../../kernel/tenant.js'
import type { ApiKeyMode } from '../domain/api-key.js'

/** What the command line can be told to do. A tenant of null is the deployment itself. */
export type TenantCommand =
  | { name: 'create'; tenantName: string; products: readonly Product[]; mode: ApiKeyMode; webhookUrl: string | null }
  | { name: 'list'; after: string | undefined }
  | { name: 'show'; tenantId: string }
  | { name: 'change'; tenantId: string; tenantName: string | undefined; products: readonly Product[] | undefined }
  | { name: 'disable' | 'enable'; tenantId: string }
  | {
      name: 'key create'
      tenantId: string | null
      keyName: string
      publicClientId: string | null
      expiresAt: Date | null
      mode: ApiKeyMode
    }
  | { name: 'key list'; tenantId: string | null }
  | { name: 'key revoke'; keyId: string }
  | { name: 'integration add'; tenantId: string; publicClientId: string | undefined; webhookUrl: string | null }
  | { name: 'integration list'; tenantId: string }
  | { name: 'integration change'; tenantId: string; publicClientId: string; webhookUrl: string | null }
  | { name: 'integration rotate'; tenantId: string; publicClientId: string; overlapHours: number | undefined }
  | { name: 'limit-fiats'; tenantId: string; fiats: readonly string[] | null }
  | { name: 'rotate-secrets' }

export const USAGE = `Usage: npm run tenant -- <command>

  create --name NAME [--products ${PRODUCTS.join(',')}] [--webhook-url URL] [--live]
      a tenant with its integration and a first key
  list [--after ID]
      the tenants, newest first, a hundred at once
  show --tenant ID
      a tenant with its integrations and keys
  change --tenant ID [--name NAME] [--products ${PRODUCTS.join(',')}]
  disable --tenant ID
      none of its keys opens anything any more, within five seconds; what is paid is settled as ever
  enable --tenant ID
  key create --tenant ID | --platform [--name NAME] [--public-client-id ID] [--expires ISO-DATE] [--live]
      another key; --platform: a key of the deployment itself; --public-client-id: the integration that uses it and
      whose quota of verifications it counts for, the default one where left out
  key list --tenant ID | --platform
  key revoke --key ID
  integration add --tenant ID [--public-client-id ID] [--webhook-url URL]
      another integration, under an id of its own or one that it has had elsewhere
  integration list --tenant ID
  integration change --tenant ID --public-client-id ID (--webhook-url URL | --no-webhook-url)
      where events go when a payment or an order names no address
  integration rotate --tenant ID --public-client-id ID [--overlap-hours 24]
      another webhook secret; for that long everything is signed with the old one too
  limit-fiats --tenant ID [--fiats BRL,USD]
      the fiat currencies that the tenant may use; without --fiats all of the deployment
  rotate-secrets
      seals every webhook secret with MASTER_KEY that MASTER_KEY_PREVIOUS has sealed; the secrets stay the same

Keys are for tests unless --live is given. Keys and webhook secrets are shown once.`

const TEXT = { type: 'string' } as const
const FLAG = { type: 'boolean' } as const
const CLIENT = { 'public-client-id': TEXT } as const

/**
 * Reads the arguments of the command line.
 * @throws UsageError with one sentence
 */
export function readCommand(args: readonly string[]): TenantCommand {
  const words = args[0] === 'key' || args[0] === 'integration' ? 2 : 1
  const name = args.slice(0, words).join(' ')
  const rest = args.slice(words)
  return args[0] === 'integration' ? readIntegrationCommand(name, rest) : readOtherCommand(name, rest)
}

function readOtherCommand(name: string, rest: readonly string[]): TenantCommand {
  switch (name) {
    case 'create': {
      const values = readOptions(rest, { name: TEXT, products: TEXT, 'webhook-url': TEXT, live: FLAG })
      return {
        name,
        tenantName: neededOption(values, 'name'),
        products: readProducts(values['products']),
        mode: values['live'] ? 'live' : 'test',
        webhookUrl: readUrl(values['webhook-url']),
      }
    }
    case 'list':
      return { name, after: textOf(readOptions(rest, { after: TEXT })['after']) }
    case 'show':
    case 'disable':
    case 'enable':
      return { name, tenantId: neededOption(readOptions(rest, { tenant: TEXT }), 'tenant') }
    case 'change': {
      const values = readOptions(rest, { tenant: TEXT, name: TEXT, products: TEXT })
      return {
        name,
        tenantId: neededOption(values, 'tenant'),
        tenantName: textOf(values['name']),
        products: values['products'] === undefined ? undefined : readProducts(values['products']),
      }
    }
    case 'key create': {
      const values = readOptions(rest, {
        tenant: TEXT,
        platform: FLAG,
        name: TEXT,
        expires: TEXT,
        live: FLAG,
        ...CLIENT,
      })
      return {
        name,
        tenantId: readOwner(values),
        keyName: typeof values['name'] === 'string' ? values['name'] : 'key',
        publicClientId: readClient(values),
        expiresAt: readDate(values['expires']),
        mode: values['live'] ? 'live' : 'test',
      }
    }
    case 'key list':
      return { name, tenantId: readOwner(readOptions(rest, { tenant: TEXT, platform: FLAG })) }
    case 'key revoke':
      return { name, keyId: neededOption(readOptions(rest, { key: TEXT }), 'key') }
    case 'limit-fiats': {
      const values = readOptions(rest, { tenant: TEXT, fiats: TEXT })
      const fiats = textOf(values['fiats'])?.split(',')
      return { name, tenantId: neededOption(values, 'tenant'), fiats: fiats?.map((fiat) => fiat.trim()) ?? null }
    }
    case 'rotate-secrets':
      readOptions(rest, {})
      return { name }
    default:
      throw unknownCommand(name)
  }
}

function readIntegrationCommand(name: string, rest: readonly string[]): TenantCommand {
  switch (name) {
    case 'integration list':
      return { name, tenantId: neededOption(readOptions(rest, { tenant: TEXT }), 'tenant') }
    case 'integration change': {
      const values = readOptions(rest, { tenant: TEXT, 'webhook-url': TEXT, 'no-webhook-url': FLAG, ...CLIENT })
      if ((values['webhook-url'] === undefined) === (values['no-webhook-url'] === undefined)) {
        throw new UsageError('Either --webhook-url or --no-webhook-url is needed.')
      }
      return {
        name,
        tenantId: neededOption(values, 'tenant'),
        publicClientId: neededOption(values, 'public-client-id'),
        webhookUrl: readUrl(values['webhook-url']),
      }
    }
    case 'integration rotate': {
      const values = readOptions(rest, { tenant: TEXT, 'public-client-id': TEXT, 'overlap-hours': TEXT })
      return {
        name,
        tenantId: neededOption(values, 'tenant'),
        publicClientId: neededOption(values, 'public-client-id'),
        overlapHours: readHours(values['overlap-hours']),
      }
    }
    case 'integration add': {
      const values = readOptions(rest, { tenant: TEXT, 'public-client-id': TEXT, 'webhook-url': TEXT })
      return {
        name,
        tenantId: neededOption(values, 'tenant'),
        publicClientId: textOf(values['public-client-id']),
        webhookUrl: readUrl(values['webhook-url']),
      }
    }
    default:
      throw unknownCommand(name)
  }
}

function textOf(value: string | boolean | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function readOwner(values: OptionValues): string | null {
  if (values['platform'] && values['tenant'] !== undefined) {
    throw new UsageError('A key is of a tenant or of the platform, not both.')
  }
  return values['platform'] ? null : neededOption(values, 'tenant')
}

function readClient(values: OptionValues): string | null {
  const publicClientId = textOf(values['public-client-id']) ?? null
  if (publicClientId !== null && values['platform']) {
    throw new UsageError('A key of the platform has no integration.')
  }
  return publicClientId
}

function readProducts(value: string | boolean | undefined): readonly Product[] {
  if (typeof value !== 'string') return PRODUCTS
  return value.split(',').map((word) => {
    const product = PRODUCTS.find((candidate) => candidate === word.trim())
    if (!product) throw new UsageError(`--products is a comma list of ${PRODUCTS.join(', ')}.`)
    return product
  })
}

function readDate(value: string | boolean | undefined): Date | null {
  if (typeof value !== 'string') return null
  const date = new Date(value)
  // Date also reads "1" and "May 5": only what begins like an ISO 8601 date is meant.
  if (!/^\d{4}-\d{2}-\d{2}/.test(value) || Number.isNaN(date.getTime())) {
    throw new UsageError('--expires is an ISO 8601 date, e.g. 2030-01-31T00:00:00Z.')
  }
  return date
}

/** A week: who needs longer has lost sight of his receivers. */
const OVERLAP_MAX_HOURS = 168

function readHours(value: string | boolean | undefined): number | undefined {
  if (value === undefined) return undefined
  const hours = Number(value)
  if (Number.isInteger(hours) && hours >= 0 && hours <= OVERLAP_MAX_HOURS) return hours
  throw new UsageError(`--overlap-hours is a whole number from 0 to ${OVERLAP_MAX_HOURS}.`)
}

function readUrl(value: string | boolean | undefined): string | null {
  if (typeof value !== 'string') return null
  const url = URL.parse(value)
  if (!url || !/^https?:$/.test(url.protocol)) throw new UsageError('--webhook-url is an http or https URL.')
  return value
}
