// WEBHOOK_SECRET=whsec_… PORT=3000 go run receiver.go     (Go 1.19 or newer)
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"time"
)

const tolerance = 5 * time.Minute

var secret = []byte(os.Getenv("WEBHOOK_SECRET"))

func main() {
	if len(secret) == 0 {
		log.Fatal("WEBHOOK_SECRET is not set")
	}
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), http.HandlerFunc(receive)))
}

func receive(response http.ResponseWriter, request *http.Request) {
	body, err := io.ReadAll(request.Body)
	if err != nil || !isGenuine(request.Header, body) {
		response.WriteHeader(http.StatusUnauthorized)
		return
	}
	if err := keep(request.Header.Get("X-Webhook-Event-Id"), body); err != nil {
		response.WriteHeader(http.StatusInternalServerError)
		return
	}
	response.WriteHeader(http.StatusNoContent)
}

// The body is the bytes as they came: JSON parsed and written again has other bytes.
func isGenuine(header http.Header, body []byte) bool {
	timestamp := header.Get("X-Webhook-Timestamp")
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(timestamp + "."))
	mac.Write(body)
	expected := "sha256=" + hex.EncodeToString(mac.Sum(nil))
	given := header.Get("X-Webhook-Signature-V2")
	sentAt, err := strconv.ParseInt(timestamp, 10, 64)
	isFresh := err == nil && time.Since(time.UnixMilli(sentAt)).Abs() <= tolerance
	return hmac.Equal([]byte(given), []byte(expected)) && isFresh
}

// Put it into a queue or table here, once per event id, and do the work later.
func keep(eventID string, body []byte) error {
	var delivery struct{ Event string }
	if err := json.Unmarshal(body, &delivery); err != nil {
		return err
	}
	log.Println(eventID, delivery.Event)
	return nil
}
