/**
 * Preact with tagged templates, as one module for all views. Effects run after the next frame. A view that listens to events, or
 * resets a state that the next click sets, uses a layout effect, so that it misses no event between rendering and frame.
 */

import htm from 'htm'
import { h } from 'preact'

export const html = htm.bind(h)
export { Fragment, render } from 'preact'
export { useCallback, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
