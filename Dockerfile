# The suite as an image without anything else in it:
#
#   docker build -t monolock-conform .
#   docker run --rm --network host monolock-conform --server 127.0.0.1:7070
FROM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN CGO_ENABLED=0 go build -trimpath -ldflags '-s -w' -o /out/ ./cmd/monolock-conform ./cmd/monolock-refserver
# Pictures of histories go to a temporary folder where no report names another.
RUN mkdir -m 1777 /out/tmp

FROM scratch
COPY --from=build /out/ /
USER 65532:65532
ENTRYPOINT ["/monolock-conform"]
