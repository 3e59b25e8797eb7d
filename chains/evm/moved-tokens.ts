import { isAddressEqual, keccak256, stringToHex, type Address, type Hex } from 'viem'

/** A log of a call that was run without being sent. */
export interface SimulatedLog {
  address: Address
  topics: readonly Hex[]
  data: Hex
}

const TRANSFER = topicOf('Transfer(address,address,uint256)')
const APPROVAL = topicOf('Approval(address,address,uint256)')
const APPROVAL_FOR_ALL = topicOf('ApprovalForAll(address,address,bool)')
const SEVERAL = [
  topicOf('TransferSingle(address,address,address,uint256,uint256)'),
  topicOf('TransferBatch(address,address,address,uint256[],uint256[])'),
]

/** Where nodes write transfers of the native coin: as logs of an address that is no contract (execution-apis, `traceTransfers`). */
const NATIVE: Address = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'

/**
 * What leaves an owner, or may leave him later, besides what he pays with.
 * @param paid the token that he pays with and who is allowed to take it; undefined for the native coin, of which a call can take
 *   no more than it is sent
 * @returns its name; undefined where nothing does
 */
export function findForeignMove(
  logs: readonly SimulatedLog[],
  owner: Address,
  paid: { token: Address; spender: Address | undefined } | undefined,
): 'approval' | 'tokens' | undefined {
  for (const { address, topics } of logs) {
    const [kind, first, second] = topics
    const isPaid = paid !== undefined && isAddressEqual(address, paid.token)
    if (kind === TRANSFER && isTopicOf(first, owner)) {
      if (!isPaid && !isAddressEqual(address, NATIVE)) return 'tokens'
    }
    // Some tokens tell of what is left of an allowance when a part of it is taken.
    if (kind === APPROVAL && isTopicOf(first, owner)) {
      if (!isPaid || !paid.spender || !isTopicOf(second, paid.spender)) return 'approval'
    }
    if (kind === APPROVAL_FOR_ALL && isTopicOf(first, owner)) return 'approval'
    if (kind !== undefined && SEVERAL.includes(kind) && isTopicOf(second, owner)) return 'tokens'
  }
  return undefined
}

/** How much of the native coin an address got, in base units. */
export function nativeReceived(logs: readonly SimulatedLog[], receiver: Address): bigint {
  return logs
    .filter(
      ({ address, topics }) =>
        isAddressEqual(address, NATIVE) && topics[0] === TRANSFER && isTopicOf(topics[2], receiver),
    )
    .reduce((sum, { data }) => sum + BigInt(data), 0n)
}

function isTopicOf(topic: Hex | undefined, address: Address): boolean {
  return topic !== undefined && topic.slice(-40).toLowerCase() === address.slice(2).toLowerCase()
}

function topicOf(event: string): Hex {
  return keccak256(stringToHex(event))
}
