import { parseAbi, type Hex } from 'viem'
import artifact from './contracts/Forwarder.json' with { type: 'json' }

/** The interface of `contracts/Forwarder.sol`. */
export const forwarderAbi = parseAbi([
  'constructor(bytes32 splitHash)',
  'function distribute(address token, address[] receivers, uint256[] shares)',
  'function distributed(address token) view returns (uint256)',
  'function splitHash() view returns (bytes32)',
  'event Distributed(address indexed token, uint256 total, uint256[] amounts)',
])

/** The forwarder's creation code, without its constructor argument. */
export const FORWARDER_BYTECODE = artifact.bytecode as Hex
