import { readFileSync, statSync } from 'node:fs'
import { AppError } from '../../../kernel/errors.js'
import type { Logger } from '../../../kernel/log.js'
import { spelledWallet, type WalletScreen } from './screen-wallets.js'

/**
 * Screens wallets by a file with one address on each line; what begins with # is left out. An EVM address counts on every EVM
 * chain. The file is read again when it has changed, so that a nightly list needs no restart.
 */
export function listScreen(file: string, log: Logger): WalletScreen {
  let read: { version: string; wallets: ReadonlySet<string> } | undefined
  const present = (): ReadonlySet<string> => {
    const { mtimeMs, size } = statSync(file)
    const version = `${mtimeMs} ${size}`
    if (read?.version !== version) read = { version, wallets: readWallets(file) }
    return read.wallets
  }
  return {
    findRefused: (_chain, wallets) =>
      Promise.resolve().then(() => {
        try {
          const refused = present()
          return new Set(wallets.filter((wallet) => refused.has(spelledWallet(wallet))))
        } catch (error) {
          log.error({ err: error }, 'the list of refused wallets cannot be read')
          throw new AppError('provider_unavailable', { cause: error })
        }
      }),
  }
}

function readWallets(file: string): ReadonlySet<string> {
  const lines = readFileSync(file, 'utf8').split('\n')
  return new Set(lines.map((line) => spelledWallet(line.replace(/#.*$/, '').trim())).filter((line) => line !== ''))
}
