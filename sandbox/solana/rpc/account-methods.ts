import bs58 from 'bs58'
import type { Bank } from '../bank.js'
import type { ChainAccount } from '../svm.js'
import { readHolding, readMint, TOKEN_2022_PROGRAM, TOKEN_PROGRAM, uiAmount } from '../token-accounts.js'
import { accountView } from './account-view.js'
import { inContext, type Methods } from './methods.js'
import { address, addressAt, checkContextSlot, configAt, integerAt, listAt, type Config } from './params.js'
import { invalidParams } from './rpc-error.js'

/** Methods that read accounts. */
export function accountMethods(bank: Bank): Methods {
  const { slots } = bank
  const viewOf = (key: string, config: Config): object | null => {
    const account = bank.svm().account(key)
    return account ? accountView(bank.svm(), account, config) : null
  }
  return {
    getBalance: (params) => {
      checkContextSlot(configAt(params, 1), slots)
      return inContext(slots, Number(bank.svm().account(addressAt(params, 0))?.lamports ?? 0n))
    },
    getAccountInfo: (params) => {
      const config = configAt(params, 1)
      checkContextSlot(config, slots)
      return inContext(slots, viewOf(addressAt(params, 0), config))
    },
    getMultipleAccounts: (params) => {
      const config = configAt(params, 1)
      checkContextSlot(config, slots)
      const keys = listAt(params, 0, 100).map(address)
      return inContext(
        slots,
        keys.map((key) => viewOf(key, config)),
      )
    },
    getMinimumBalanceForRentExemption: (params) => Number(bank.svm().rentExemptMinimum(integerAt(params, 0))),
    getProgramAccounts: (params) => {
      const config = configAt(params, 1)
      const svm = bank.svm()
      const matches = filtersOf(config)
      const found = svm
        .programAccounts(addressAt(params, 0))
        .filter((account) => account.lamports > 0n && matches(account))
        .map((account) => ({ pubkey: account.address, account: accountView(svm, account, config) }))
      return config['withContext'] === true ? inContext(slots, found) : found
    },
    getTokenAccountBalance: (params) => {
      const holding = readHolding(existing(bank, addressAt(params, 0)))
      if (!holding) throw invalidParams('Invalid param: not a Token account')
      const mint = readMint(bank.svm().account(holding.mint))
      return inContext(slots, uiAmount(holding.amount, mint?.decimals ?? 0))
    },
    getTokenSupply: (params) => {
      const mint = readMint(existing(bank, addressAt(params, 0)))
      if (!mint) throw invalidParams('Invalid param: not a Token mint')
      return inContext(slots, uiAmount(mint.supply, mint.decimals))
    },
    getTokenAccountsByOwner: (params) => {
      const svm = bank.svm()
      const found = tokenAccounts(bank, configAt(params, 1))
        .filter((account) => readHolding(account)?.owner === addressAt(params, 0))
        .map((account) => ({ pubkey: account.address, account: accountView(svm, account, configAt(params, 2)) }))
      return inContext(slots, found)
    },
  }
}

function existing(bank: Bank, key: string): ChainAccount {
  const account = bank.svm().account(key)
  if (account) return account
  throw invalidParams('Invalid param: could not find account')
}

/** Token accounts of one mint, or of one token program. */
function tokenAccounts(bank: Bank, filter: Config): ChainAccount[] {
  const { mint, programId } = filter as { mint?: unknown; programId?: unknown }
  if (mint !== undefined) {
    const account = bank.svm().account(address(mint))
    if (!account || !readMint(account)) throw invalidParams('Invalid param: could not find mint')
    return bank
      .svm()
      .programAccounts(account.owner)
      .filter((candidate) => readHolding(candidate)?.mint === mint)
  }
  if (programId !== TOKEN_PROGRAM && programId !== TOKEN_2022_PROGRAM) {
    throw invalidParams('Invalid param: unrecognized Token program id')
  }
  return bank
    .svm()
    .programAccounts(programId)
    .filter((candidate) => readHolding(candidate) !== undefined)
}

function filtersOf({ filters }: { filters?: unknown }): (account: ChainAccount) => boolean {
  if (filters === undefined || filters === null) return () => true
  if (!Array.isArray(filters)) throw invalidParams('Invalid params: filters')
  const tests = filters.map(filterOf)
  return (account) => tests.every((test) => test(account))
}

function filterOf(filter: unknown): (account: ChainAccount) => boolean {
  const { dataSize, memcmp } = (filter ?? {}) as { dataSize?: unknown; memcmp?: unknown }
  if (typeof dataSize === 'number') return ({ data }) => data.length === dataSize
  const { offset, bytes, encoding } = (memcmp ?? {}) as { offset?: unknown; bytes?: unknown; encoding?: unknown }
  if (typeof offset !== 'number' || typeof bytes !== 'string') throw invalidParams('Invalid params: filters')
  const wanted = encoding === 'base64' ? Buffer.from(bytes, 'base64') : bs58.decodeUnsafe(bytes)
  if (!wanted) throw invalidParams('Invalid param: could not decode memcmp bytes')
  return ({ data }) => Buffer.from(data.subarray(offset, offset + wanted.length)).equals(wanted)
}
