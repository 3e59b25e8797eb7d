import { expect, it } from 'vitest'
import { addressGuard } from '../kernel/address-guard.js'
import { ending } from '../test/harness/at-end.js'
import { serve } from '../test/harness/serve.js'
import { itemPictures } from './item-pictures.js'

const PNG = Buffer.from('89504e470d0a1a0a', 'hex')
const silent = () => new Promise<never>(() => {})

it("keeps one shop's failure to get a picture from the payers of another, and what was got for all", async () => {
  let asked = 0
  const { url } = await serve((_, response) => {
    asked += 1
    response.end(PNG)
  })
  const picture = `${url.replace('127.0.0.1', 'cdn.test')}/mug.png`
  const resolve = (name: string) =>
    name === 'cdn.test' ? Promise.resolve([{ address: '127.0.0.1', family: 4 }]) : silent()
  const pictureAt = itemPictures(ending(addressGuard({ allowLoopback: true, allowHttp: true, resolve })))
  // So much of this shop waits for its names that no more of it is taken up.
  for (let index = 0; index < 400; index += 1) void pictureAt(`http://n${index}.silent.test/`, 'noisy')
  expect(await pictureAt(picture, 'noisy')).toBeUndefined()
  expect(asked).toBe(0)
  expect(await pictureAt(picture, 'quiet')).toEqual({ bytes: PNG, type: 'image/png' })
  // And what another shop's payers have seen is nobody's failure any more.
  expect(await pictureAt(picture, 'noisy')).toEqual({ bytes: PNG, type: 'image/png' })
  expect(asked).toBe(1)
})
