import assert from 'node:assert/strict'
import { test } from 'node:test'
import { total } from '../src/cart.js'

test('an empty cart costs nothing', () => {
  assert.equal(total([]), 0)
})

test('each item counts as often as it is bought', () => {
  assert.equal(
    total([
      { price: 2, quantity: 3 },
      { price: 5, quantity: 1 },
    ]),
    11,
  )
})
