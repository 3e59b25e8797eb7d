import { findToken, isValidAddress, type Chain } from '../../../../chains/chain.js'
import type { FieldFailure } from '../../../../kernel/errors.js'
import type { WalletRail } from '../rail.js'
import { startCrypto, type CryptoDeps } from './start.js'
import type { CreateTransactionInput } from '../../model/transaction-input.js'

/** A wallet pays on a chain: the payer signs, we broadcast and watch. */
export function cryptoRail(deps: CryptoDeps): WalletRail {
  return {
    kind: 'wallet',
    name: 'crypto',
    types: { crypto: 'crypto' },
    productOf: () => 'crypto',
    needsVerifiedPayer: false,
    check: (input) => checkPayer(deps.settings.chains, input),
    start: (payment, input) => startCrypto(deps, payment, input),
  }
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
    failures.push({ field: 'payerTokenSymbol', message: `must be a token enabled on ${chain.name}` })
  }
  return failures
}
