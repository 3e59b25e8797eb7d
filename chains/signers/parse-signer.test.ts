import { describe, expect, it } from 'vitest'
import { parseEvmSigner, parseSignerUrl, parseSolanaSigner } from './parse-signer.js'

const ADDRESS = '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359'
const SOLANA = 'So11111111111111111111111111111111111111112'

describe('the place of a signer', () => {
  it('is a Web3Signer, behind a path and with a password where there are any', () => {
    expect(parseEvmSigner(`web3signer:https://signer.internal:9000/eth1/?address=${ADDRESS.toLowerCase()}`)).toEqual({
      kind: 'web3signer',
      url: 'https://signer.internal:9000/eth1',
      authorization: undefined,
      address: ADDRESS,
    })
    expect(parseEvmSigner(`web3signer:http://ana:p%40ss@127.0.0.1:9000?address=${ADDRESS}`)).toMatchObject({
      url: 'http://127.0.0.1:9000',
      authorization: `Basic ${Buffer.from('ana:p@ss').toString('base64')}`,
    })
  })

  it.each(['1234abcd-12ab-34cd-56ef-1234567890ab', 'mrk-1234', 'alias/treasury', 'arn:aws:kms:sa-east-1:1:key/a-b'])(
    'is a key of AWS KMS: %s',
    (keyId) => {
      const key = { kind: 'aws-kms', region: 'sa-east-1', keyId }
      expect(parseEvmSigner(`aws-kms:sa-east-1/${keyId}?address=${ADDRESS}`)).toEqual({ ...key, address: ADDRESS })
      expect(parseSolanaSigner(`aws-kms:sa-east-1/${keyId}?address=${SOLANA}`)).toEqual({ ...key, address: SOLANA })
    },
  )

  it.each([
    `web3signer:http://signer.internal?address=${ADDRESS}`,
    `web3signer:ftp://hidden?address=${ADDRESS}`,
    `web3signer:https://hidden`,
    `web3signer:https://hidden?address=${ADDRESS.replace('c', 'C')}`,
    `web3signer:https://hidden?address=${ADDRESS}&chain=1`,
    `web3signer:https://hidden?key=1?address=${ADDRESS}`,
    `web3signer:https://u:%ff@hidden?address=${ADDRESS}`,
    `aws-kms:nowhere/hidden?address=${ADDRESS}`,
    `aws-kms:eu-west-1/?address=${ADDRESS}`,
    `aws-kms:eu-west-1/a?address=${SOLANA}`,
    `vault:hidden?address=${ADDRESS}`,
    `0x${'ab'.repeat(32)}`,
  ])('is refused where it is %s, without repeating it', (text) => {
    expect(() => parseEvmSigner(text)).toThrow(/^must (?!.*(hidden|abab))/)
  })

  it('of a Solana account is no Web3Signer, which has no such keys', () => {
    expect(() => parseSolanaSigner(`web3signer:https://host?address=${SOLANA}`)).toThrow('must be aws-kms:')
    expect(() => parseSolanaSigner(`aws-kms:eu-west-1/a?address=${ADDRESS}`)).toThrow('a Solana address')
  })

  it('is reached by https, or on loopback', () => {
    expect(parseSignerUrl('https://vpce-1.kms.eu-west-1.vpce.amazonaws.com/')).toMatch(/^https.*com$/)
    expect(() => parseSignerUrl('http://kms.internal')).toThrow('https')
  })
})
