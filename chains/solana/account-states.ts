import { PublicKey } from '@solana/web3.js'
import bs58 from 'bs58'
import type { SolanaClient } from './client.js'
import { ask } from './rpc.js'

/** An account as it stands; `owner` is the program that may change it, base58; `isProgram`: it is one itself. */
export interface AccountState {
  lamports: bigint
  owner: string
  data: Buffer
  isProgram: boolean
}

/** How many accounts a node shows at once (Agave: MAX_MULTIPLE_ACCOUNTS). */
const AT_ONCE = 100

/**
 * Accounts as they stand, in the order of the addresses; undefined for those that are not there.
 * @throws AppError `provider_unavailable`, `provider_timeout`
 */
export async function readAccounts(
  { connection }: SolanaClient,
  addresses: readonly string[],
): Promise<(AccountState | undefined)[]> {
  const found: (AccountState | undefined)[] = []
  for (let start = 0; start < addresses.length; start += AT_ONCE) {
    const keys = addresses.slice(start, start + AT_ONCE).map((address) => new PublicKey(address))
    const infos = await ask('build', () => connection.getMultipleAccountsInfo(keys, 'confirmed'))
    found.push(
      ...infos.map((info) =>
        info
          ? {
              lamports: BigInt(info.lamports),
              owner: info.owner.toBase58(),
              data: Buffer.from(info.data),
              isProgram: info.executable,
            }
          : undefined,
      ),
    )
  }
  return found
}

/** Where the addresses of a look-up table begin (solana-address-lookup-table-interface: LOOKUP_TABLE_META_SIZE). */
const TABLE_META_BYTES = 56
const KEY_BYTES = 32

/**
 * The addresses of look-up tables; an empty list for one that is not there.
 * @throws AppError `provider_unavailable`, `provider_timeout`
 */
export async function readAddressTables(client: SolanaClient, tables: readonly string[]): Promise<string[][]> {
  if (tables.length === 0) return []
  return (await readAccounts(client, tables)).map((table) => {
    const bytes = table?.data.subarray(TABLE_META_BYTES) ?? Buffer.alloc(0)
    return Array.from({ length: Math.floor(bytes.length / KEY_BYTES) }, (_, index) =>
      bs58.encode(bytes.subarray(index * KEY_BYTES, (index + 1) * KEY_BYTES)),
    )
  })
}
