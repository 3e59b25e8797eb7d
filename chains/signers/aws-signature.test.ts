import { expect, it } from 'vitest'
import { signAwsRequest } from './aws-signature.js'

/** Of AWS's own test suite for Signature Version 4. */
const CREDENTIALS = {
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
  sessionToken: undefined,
}
const NOW = new Date('2015-08-30T12:36:00.000Z')
const REQUEST = {
  url: new URL('https://example.amazonaws.com/'),
  region: 'us-east-1',
  service: 'service',
  headers: {},
  body: '',
}

it('a request is signed as in post-vanilla of the test suite of AWS', () => {
  expect(signAwsRequest(REQUEST, CREDENTIALS, NOW)).toEqual({
    'x-amz-date': '20150830T123600Z',
    authorization:
      'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=host;x-amz-date, ' +
      'Signature=5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b',
  })
})

it('a body and its type are signed as in post-x-www-form-urlencoded of the test suite of AWS', () => {
  const request = {
    ...REQUEST,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'Param1=value1',
  }
  expect(signAwsRequest(request, CREDENTIALS, NOW)['authorization']).toContain(
    'SignedHeaders=content-type;host;x-amz-date, Signature=ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a',
  )
})
