import { findToken, isValidAddress, unknownToken, type Chain } from '../../../../chains/chain.js'
import { integer, readEnv } from '../../../../kernel/env.js'
import type { FieldFailure } from '../../../../kernel/errors.js'
import type { CreateTransactionInput } from '../../model/transaction-input.js'
import type { RailKind, TransactionTypes } from '../rail.js'
import { placeAddress } from './place-address.js'
import { sharingCosts } from './sharing-cost.js'
import { startCrypto } from './start.js'

const types: TransactionTypes = {
  crypto: { description: 'A wallet pays on a chain.', method: 'crypto', product: 'crypto' },
}

const variables = {
  splitReceiversPerDay: integer(
    'SPLIT_RECEIVERS_PER_DAY',
    "to how many receivers a tenant's wallet payments may be shared out in 24 hours at our gas; 0 is any number",
    5000,
    0,
    10_000_000,
  ),
  watchedMax: integer(
    'WATCHED_ADDRESSES_PER_TENANT',
    "how many of a tenant's payment addresses are watched at once, all chains together; 0 is any number",
    20_000,
    0,
    10_000_000,
  ),
}

/** A wallet pays on a chain: the payer signs, we broadcast and watch. */
export const crypto: RailKind = {
  name: 'crypto',
  product: 'crypto',
  types,
  environment: { variables, required: [], secrets: [] },
  configure: (environment) => {
    const budget = readEnv(variables, environment)
    return (given) => {
      const deps = { ...given, ...budget, sharingCost: sharingCosts(given) }
      return {
        kind: 'wallet',
        name: 'crypto',
        types,
        needsVerifiedPayer: false,
        check: (input) => checkPayer(deps.settings.chains, input),
        start: (payment, input) => startCrypto(deps, payment, input),
        placeAddress: (payment, chainName) => placeAddress(deps, payment, chainName),
      }
    }
  },
}

function checkPayer(chains: readonly Chain[], input: Partial<CreateTransactionInput>): FieldFailure[] {
  const { payerWallet, chainName, payerTokenSymbol } = input
  const failures = Object.entries({ payerWallet, chainName, payerTokenSymbol })
    .filter(([, value]) => value === undefined || value === null || value === '')
    .map(([field]) => ({ field, message: 'is required for crypto payments' }))
  if (!chainName) return failures
  const chain = chains.find(({ name }) => name === chainName)
  if (!chain)
    return [
      ...failures,
      {
        field: 'chainName',
        message: `must be an enabled chain: ${chains.map(({ name }) => name).join(', ')}`,
      },
    ]
  if (payerWallet && !isValidAddress(chain, payerWallet)) {
    failures.push({ field: 'payerWallet', message: `must be an address on ${chain.name}` })
  }
  if (payerTokenSymbol && !findToken(chain, payerTokenSymbol)) {
    failures.push({ field: 'payerTokenSymbol', message: unknownToken(chain) })
  }
  return failures
}
