import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as cart from '../src/cart.js'

test('itemCount adds up the quantities', () => {
  assert.equal(
    cart.itemCount([
      { price: 2, quantity: 3 },
      { price: 5, quantity: 1 },
    ]),
    4,
  )
})
