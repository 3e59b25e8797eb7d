import type { Hex } from 'viem'
import { AppError } from '../../kernel/errors.js'
import { fromBaseUnits } from '../../kernel/money.js'
import { estimateL1Fee } from '../evm/l1-fee.js'
import { costAtMost } from '../evm/replace.js'
import type { TransactionCost } from '../evm/signer.js'
import type { EvmCall } from '../evm/transfer-call.js'
import type { AccountTransaction, EvmAccount } from './evm-account.js'

/** What is spared for a call is of half of what the account holds: the other half raises fees, and pays for those behind it. */
const SPARE_OF = 2n

/**
 * The gas limit of a call that the account's coin pays for. A node refuses one whose whole limit it does not, whatever the call uses: such
 * a one would keep its nonce, and with it everything behind it, until somebody sends coin.
 * @param cost what it takes by estimate
 * @param most the limit that it is to have, if the account holds enough
 * @param balance what the account holds, in wei
 * @param open those that are on their way, and have to be paid for too
 * @param tellWait told why the call has to wait for those
 * @throws AppError broadcast_rejected where not even the estimate is paid for, provider_unavailable where all of it is once those on
 *   their way are mined, provider_timeout
 */
export async function findAffordableGas(
  {
    client,
    chain,
    signer: { address },
    tellStuck,
    tellWait,
  }: Pick<EvmAccount, 'client' | 'chain' | 'signer' | 'tellStuck'> & { tellWait: (why: string) => Promise<void> },
  call: EvmCall,
  { cost, most }: { cost: TransactionCost; most: bigint },
  { balance, open }: { balance: bigint; open: readonly Pick<AccountTransaction, 'raw'>[] },
): Promise<bigint> {
  const l1Fee = chain.rollup === 'op-stack' ? await estimateL1Fee(client, { ...call, gas: most }) : 0n
  const needed = call.value + l1Fee + cost.gas * cost.maxFeePerGas
  const free = open.reduce((rest, { raw }) => rest - costAtMost(raw as Hex), balance)
  const { symbol, decimals } = chain.nativeCoin
  const coin = (wei: bigint): string => `${fromBaseUnits(wei, decimals)} ${symbol}`
  const holds = `${address} holds ${coin(balance)}`
  if (needed > balance) {
    const details = `insufficient funds: ${holds}, and a call takes ${coin(needed)}`
    await tellStuck(details)
    throw new AppError('broadcast_rejected', { details })
  }
  const waiting = async (why: string): Promise<AppError> => {
    await tellWait(`${why}; ${holds}`)
    return new AppError('provider_unavailable', { details: why })
  }
  if (needed > free) throw await waiting('the account holds enough for what is on its way alone')
  const sparedOf = (coin: bigint): bigint => (coin / SPARE_OF - call.value - l1Fee) / (cost.maxFeePerGas || 1n)
  const spared = sparedOf(free)
  if (spared >= most) return most
  // A receiver that uses more than by estimate makes a cut one fail, and it is tried again: better a little later than that.
  if (sparedOf(balance) >= most) throw await waiting('the spare gas is on its way')
  await tellStuck(`the spare gas of a call is cut: ${holds}`)
  return spared < cost.gas ? cost.gas : spared
}
