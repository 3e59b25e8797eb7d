/** Kamino's main market. Its reserves are named by their addresses, as it lists look-alikes of the same tokens too. */
const MAIN_MARKET = '7u3HeHxYDLhnCoErrtycNokbQYbWGzLs6JSDqGAv5PfF'

const RESERVES: Readonly<Partial<Record<string, string>>> = {
  USDC: 'D6q6wuQSrifJKZYpR1M8R4YawnLDtDsMmWM1NbBmgJ59',
  USDT: 'H3t6qZ1JkguCNTi9uzVKqQ7dvt2cum4XiXWom6Gn5e5S',
  SOL: 'd4A2prbA2whesmvHaL88BH6Ewn5N4bTSU2Ze8P6Bc4Q',
}

/** A token's reserve in the main market, in the form of an entry's settings; undefined where it has none there. */
export function mainnetReserveOf(symbol: string): { market: string; reserve: string } | undefined {
  const reserve = RESERVES[symbol]
  return reserve === undefined ? undefined : { market: MAIN_MARKET, reserve }
}
