// Package adapters holds worked examples in other languages: in each folder
// one file with a small correct client and the adapter that puts it under the
// suite. They are for porters to start from, and second opinions on the suite:
// a scenario that only the reference client passes is wrong.
//
//	monolock-conform --client 'python3 refclient/adapters/python/adapter.py'
//	monolock-conform --client 'node refclient/adapters/node/adapter.mjs'
package adapters
