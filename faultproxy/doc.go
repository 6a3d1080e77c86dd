// Package faultproxy is a TCP proxy.
package faultproxy
