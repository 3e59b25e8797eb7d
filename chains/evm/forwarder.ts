import { parseAbi, type Hex } from 'viem'
import artifact from './contracts/Forwarder.json' with { type: 'json' }
import pullArtifact from './contracts/PullForwarder.json' with { type: 'json' }

/** The interface that all forwarders share. */
export const forwarderAbi = parseAbi([
  'constructor(bytes32 splitHash)',
  'function distribute(address token, address[] receivers, uint256[] shares)',
  'function distributed(address token) view returns (uint256)',
  'function splitHash() view returns (bytes32)',
  'event Distributed(address indexed token, uint256 total, uint256[] amounts)',
])

/** What `contracts/PullForwarder.sol` has besides. */
export const pullForwarderAbi = parseAbi([
  'function claim(address token, address receiver, address to)',
  'function reserved(address token) view returns (uint256)',
  'function owed(address token, address receiver) view returns (uint256)',
  'event Unpaid(address indexed token, address indexed receiver, uint256 amount)',
])

/**
 * Which contract a split's address is of: 1 is `contracts/Forwarder.sol`, which pays all receivers or none; 2 is
 * `contracts/PullForwarder.sol`, which keeps what a receiver does not take and pays the others.
 */
export type SplitVersion = 1 | 2

/** The contract of splits that begin now. */
export const SPLIT_VERSION: SplitVersion = 2

/** The forwarders' creation code, without its constructor argument: once an address is handed out its code stays. */
export const FORWARDER_BYTECODE: Readonly<Record<SplitVersion, Hex>> = {
  1: artifact.bytecode as Hex,
  2: pullArtifact.bytecode as Hex,
}
