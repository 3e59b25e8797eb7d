import { setTimeout as delay } from 'node:timers/promises'
import { TransactionReceiptNotFoundError, type Hex, type PublicClient, type TransactionReceipt } from 'viem'

const PAUSE_MS = 20

/**
 * The receipt of a transaction, once a block has it. Asks for the receipt itself: viem's `waitForTransactionReceipt` asks when
 * it sees another block, and waits for ever where the node shows a block before its receipts and mines none after it.
 * @throws Error after the deadline, a minute unless said otherwise
 */
export async function minedReceipt(
  client: Pick<PublicClient, 'getTransactionReceipt'>,
  hash: Hex,
  timeoutMs = 60_000,
): Promise<TransactionReceipt> {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    try {
      return await client.getTransactionReceipt({ hash })
    } catch (error) {
      if (!(error instanceof TransactionReceiptNotFoundError)) throw error
    }
    if (performance.now() > deadline) throw new Error(`${hash} was not mined within ${timeoutMs} ms`)
    await delay(PAUSE_MS)
  }
}
