import { isDeepStrictEqual } from 'node:util'
import { decrypt, encrypt, isSealedWithCurrent, type KeyRing } from '../../../kernel/encryption.js'
import type { AccountsDeps } from '../deps.js'
import type { Integration } from '../store/integration.entity.js'
import { endpointSeals, endpointSecrets } from '../webhooks/endpoint-secrets.js'
import type { RegisteredEndpoint } from '../webhooks/store/registered-endpoint.entity.js'
import { integrationSeals, integrationSecrets, signingSeals, type Seals } from './webhook-secrets.js'

/** What came of it. `notOpened` are integrations and endpoints whose secret no key of the ring opens: they need a new one. */
interface Resealed {
  /** Integrations and registered endpoints of which a secret was sealed again, or one that signs no more was dropped. */
  count: number
  notOpened: (Pick<Integration, 'tenantId' | 'publicClientId'> | { tenantId: string; endpointId: string })[]
}

/** Rows that have secrets, and how they are gone through. */
interface SealedRows<Row> {
  next: (after: Row | undefined) => Promise<Row[]>
  find: (row: Row) => Promise<Row | undefined>
  sealsOf: (row: Row) => Seals
  /** @returns false where the secrets were changed since the row was read */
  replace: (row: Row, sealed: Seals) => Promise<boolean>
  nameOf: (row: Row) => Resealed['notOpened'][number]
}

type ResealDeps = Pick<AccountsDeps, 'accounts' | 'clock' | 'keyRing' | 'registeredEndpoints' | 'transaction'>

/**
 * Seals every webhook secret of the deployment again that an earlier master key has sealed. The product may run meanwhile: it
 * opens both. Once this is through with nothing in `notOpened`, the earlier key is not needed any more.
 */
export async function resealWebhookSecrets(deps: ResealDeps): Promise<Resealed> {
  const { accounts, registeredEndpoints, transaction } = deps
  const outcomes: Resealed = { count: 0, notOpened: [] }
  await resealAll<Integration>(deps, outcomes, {
    next: accounts.nextIntegrations,
    find: ({ tenantId, publicClientId }) => accounts.findIntegration(tenantId, publicClientId),
    sealsOf: integrationSeals,
    replace: (row, sealed) => transaction((em) => accounts.replaceSecret(em, row, integrationSecrets(sealed))),
    nameOf: ({ tenantId, publicClientId }) => ({ tenantId, publicClientId }),
  })
  await resealAll<RegisteredEndpoint>(deps, outcomes, {
    next: registeredEndpoints.nextEndpoints,
    find: ({ tenantId, id }) => registeredEndpoints.find(tenantId, id),
    sealsOf: endpointSeals,
    replace: (row, sealed) => transaction((em) => registeredEndpoints.replaceSecret(em, row, endpointSecrets(sealed))),
    nameOf: ({ tenantId, id }) => ({ tenantId, endpointId: id }),
  })
  return outcomes
}

async function resealAll<Row extends object>(
  deps: Pick<ResealDeps, 'clock' | 'keyRing'>,
  outcomes: Resealed,
  rows: SealedRows<Row>,
): Promise<void> {
  for (let page = await rows.next(undefined); page.length > 0; page = await rows.next(page.at(-1))) {
    for (const row of page) {
      const outcome = await resealRow(deps, rows, row)
      if (outcome === 'sealed again') outcomes.count += 1
      if (outcome === 'not opened') outcomes.notOpened.push(rows.nameOf(row))
    }
  }
}

async function resealRow<Row extends object>(
  { clock, keyRing }: Pick<ResealDeps, 'clock' | 'keyRing'>,
  rows: SealedRows<Row>,
  listed: Row,
): Promise<'current' | 'sealed again' | 'not opened'> {
  let row: Row | undefined = listed
  while (row) {
    const sealed = resealed(keyRing, rows.sealsOf(row), clock.now())
    if (typeof sealed === 'string') return sealed
    if (await rows.replace(row, sealed)) return 'sealed again'
    // The secret was rotated at this moment: what was read is the one before now.
    row = await rows.find(row)
  }
  return 'current'
}

/** The same secrets, sealed again; or why there is nothing to write. */
function resealed(ring: KeyRing, seals: Seals, at: Date): Seals | 'current' | 'not opened' {
  // One that signs no more is not carried on; its key may be gone for long.
  const { now, before, between, oldest, context } = signingSeals(seals, at)
  const again = (secret: string | null | undefined): string | null => (secret ? reseal(ring, secret, context) : null)
  try {
    const sealed = {
      ...{ ...seals, now: reseal(ring, now, context), before: again(before), oldest: again(oldest) },
      between: between.map((kept) => ({ ...kept, sealed: reseal(ring, kept.sealed, context) })),
    }
    const isCurrent =
      sealed.now === seals.now &&
      sealed.before === (seals.before ?? null) &&
      sealed.oldest === (seals.oldest ?? null) &&
      isDeepStrictEqual(sealed.between, seals.between)
    return isCurrent ? 'current' : sealed
  } catch {
    return 'not opened'
  }
}

function reseal(ring: KeyRing, sealed: string, context: string): string {
  return isSealedWithCurrent(ring, sealed) ? sealed : encrypt(ring, decrypt(ring, sealed, context), context)
}
