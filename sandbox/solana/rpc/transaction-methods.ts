import bs58 from 'bs58'
import type { Wire } from '../../../chains/solana/wire.js'
import type { Bank } from '../bank.js'
import type { RunResult } from '../svm.js'
import { transactionErrorText } from '../transaction-error.js'
import { accountView } from './account-view.js'
import { inContext, type Methods } from './methods.js'
import { address, addressAt, checkContextSlot, configAt, integerAt, listAt, textAt, type Config } from './params.js'
import { readWire } from './read-wire.js'
import { invalidParams, RpcError } from './rpc-error.js'

/** Methods that run transactions. */
export function transactionMethods(bank: Bank): Methods {
  return {
    sendTransaction: (params) => send(bank, textAt(params, 0), configAt(params, 1)),
    simulateTransaction: (params) => simulate(bank, textAt(params, 0), configAt(params, 1)),
    requestAirdrop: (params) => bank.airdrop(addressAt(params, 0), BigInt(integerAt(params, 1))),
  }
}

/** As Agave's `send_transaction`: unless told otherwise nothing is forwarded that would fail now. */
function send(bank: Bank, text: string, config: Config): string {
  const { bytes, wire } = readWire(text, config)
  checkContextSlot(config, bank.slots)
  if (config['skipPreflight'] !== true) {
    const result = bank.simulate(bytes, wire, { verifySignatures: true, checkAge: true })
    if (result.error === 'SignatureFailure') throw badSignature()
    if (result.error !== null) {
      const message = `Transaction simulation failed: ${transactionErrorText(result.error)}`
      throw new RpcError(-32002, message, { ...simulationView(bank, result, {}), accounts: null })
    }
  }
  bank.execute(bytes, wire)
  return bs58.encode(wire.signatures[0] ?? new Uint8Array())
}

function simulate(bank: Bank, text: string, config: Config): object {
  const { bytes, wire } = readWire(text, config)
  checkContextSlot(config, bank.slots)
  const verifySignatures = config['sigVerify'] === true
  const replaces = config['replaceRecentBlockhash'] === true
  if (verifySignatures && replaces) throw invalidParams('sigVerify may not be used with replaceRecentBlockhash')
  const replacement = replaces ? bank.slots.latestBlockhash() : undefined
  const run = replacement ? withBlockhash(bytes, wire, replacement.blockhash) : bytes
  const result = bank.simulate(run, wire, { verifySignatures, checkAge: !replaces })
  if (result.error === 'SignatureFailure') throw badSignature()
  return inContext(bank.slots, {
    ...simulationView(bank, result, config),
    ...(replacement && { replacementBlockhash: replacement }),
  })
}

function badSignature(): RpcError {
  return new RpcError(-32003, 'Transaction signature verification failure')
}

function simulationView(bank: Bank, result: RunResult, config: Config): object {
  const { error, logs, unitsConsumed, returnData } = result
  const wanted = configAt([config['accounts']], 0)
  const addresses = wanted['addresses'] === undefined ? undefined : listAt([wanted['addresses']], 0, 256).map(address)
  return {
    err: error,
    logs,
    unitsConsumed,
    returnData,
    innerInstructions: null,
    accounts: addresses?.map((key) => postAccount(bank, result, key, wanted)) ?? null,
  }
}

function postAccount(bank: Bank, result: RunResult, key: string, config: Config): object | null {
  const account = result.postAccounts.find((candidate) => candidate.address === key) ?? bank.svm().account(key)
  return account ? accountView(bank.svm(), account, { encoding: 'base64', ...config }) : null
}

function withBlockhash(bytes: Uint8Array, wire: Wire, blockhash: string): Uint8Array {
  const changed = Uint8Array.from(bytes)
  changed.set(bs58.decode(blockhash), wire.message.blockhash.byteOffset - bytes.byteOffset)
  return changed
}
