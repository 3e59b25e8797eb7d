import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ownFolder } from './at-end.js'

/** A file of refused wallets that a test writes. */
export interface WalletList {
  path: string
  refuse: (wallet: string) => void
}

/** A list that refuses nobody yet. */
export async function walletList(): Promise<WalletList> {
  const path = join(await ownFolder(), 'refused-wallets.txt')
  writeFileSync(path, '# wallets that may neither pay nor be paid\n')
  return { path, refuse: (wallet) => appendFileSync(path, `${wallet}\n`) }
}
