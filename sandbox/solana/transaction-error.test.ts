import { describe, expect, it } from 'vitest'
import { transactionErrorJson, transactionErrorText } from './transaction-error.js'

describe("the errors of the sandbox's Solana chain", () => {
  it.each([
    [6, 'AlreadyProcessed', 'This transaction has already been processed'],
    [7, 'BlockhashNotFound', 'Blockhash not found'],
    [11, 'SignatureFailure', 'Transaction did not pass signature verification'],
    [26, 'InvalidRentPayingAccount', 'Transaction leaves an account with a lower balance than rent-exempt minimum'],
    [34, 'CommitCancelled', 'CommitCancelled'],
  ])('%i is %s, in its own words', (number, name, text) => {
    expect(transactionErrorJson(number)).toBe(name)
    expect(transactionErrorText(name)).toBe(text)
  })

  it.each([
    [7, 'MissingRequiredSignature', 'missing required signature for instruction'],
    [37, 'PrivilegeEscalation', 'Cross-program invocation with unauthorized signer or writable account'],
    [52, 'BorshIoError', 'Failed to serialize or deserialize account data'],
  ])('%i of an instruction is %s, in its own words', (number, name, text) => {
    const json = transactionErrorJson({ index: 2, err: () => number })
    expect(json).toEqual({ InstructionError: [2, name] })
    expect(transactionErrorText(json)).toBe(`Error processing Instruction 2: ${text}`)
  })

  it("shows a program's own error as a number, in hex in words", () => {
    const json = transactionErrorJson({ index: 0, err: () => ({ code: 6_001 }) })
    expect(json).toEqual({ InstructionError: [0, { Custom: 6_001 }] })
    expect(transactionErrorText(json)).toBe('Error processing Instruction 0: custom program error: 0x1771')
  })
})
