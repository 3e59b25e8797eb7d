/**
 * Every contract of the project, relative to its folder. A payment's split address follows from Forwarder's bytecode:
 * once money was sent to one, that bytecode must stay, and a better forwarder is another contract, added to it.
 */
export const CONTRACT_SOURCES = [
  'chains/evm/contracts/Forwarder.sol',
  'chains/evm/contracts/PayoutBatch.sol',
  'chains/evm/contracts/PullForwarder.sol',
  'sandbox/anvil/contracts/SandboxUSD.sol',
  'sandbox/anvil/contracts/SandboxRouter.sol',
  'sandbox/anvil/contracts/QuietToken.sol',
  'sandbox/anvil/contracts/FussyToken.sol',
  'sandbox/anvil/contracts/GreedyReceiver.sol',
] as const
