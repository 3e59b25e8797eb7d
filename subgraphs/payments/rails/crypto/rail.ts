import { findToken, isValidAddress } from '../../../../chains/chain.js'
import type { FieldFailure } from '../../../../kernel/errors.js'
import type { PaymentsDeps } from '../../deps.js'
import type { CreateTransactionInput } from '../../domain/create-transaction.js'
import type { WalletRail } from '../rail.js'
import { startCrypto } from './start.js'

/** A wallet pays on a chain: the payer signs, we relay and watch. */
export const cryptoRail: WalletRail = {
  kind: 'wallet',
  name: 'crypto',
  types: { crypto: 'crypto' },
  productOf: () => 'crypto',
  needsVerifiedPayer: false,
  check: checkPayer,
  start: startCrypto,
}

function checkPayer(
  { settings }: Pick<PaymentsDeps, 'settings'>,
  input: Partial<CreateTransactionInput>,
): FieldFailure[] {
  const { payerWallet, chainName, payerTokenSymbol } = input
  const failures = Object.entries({ payerWallet, chainName, payerTokenSymbol })
    .filter(([, value]) => value === undefined || value === null || value === '')
    .map(([field]) => ({ field, message: 'is required for crypto payments' }))
  if (!chainName) return failures
  const chain = settings.chains.find(({ name }) => name === chainName)
  if (!chain)
    return [
      ...failures,
      {
        field: 'chainName',
        message: `must be an enabled chain: ${settings.chains.map(({ name }) => name).join(', ')}`,
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
